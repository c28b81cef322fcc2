"""Scoring of plain text files line by line, as `meteor-1.5.jar TEST REFERENCE` does."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

import numpy as np

from jurydesk.core.language import fill
from jurydesk.core.metrics.meteor.batch import Pair
from jurydesk.core.metrics.meteor.config import Config
from jurydesk.core.metrics.meteor.formula import NUMBER
from jurydesk.core.metrics.meteor.jar_output import (
    alignment_lines,
    header,
    segment_values,
    statistics_line,
    system_statistics,
)
from jurydesk.core.metrics.meteor.java_semantics import UTF_8_ERRORS
from jurydesk.core.metrics.meteor.scorer import Meteor
from jurydesk.core.model.evaluation import UsageError
from jurydesk.core.system.paths import write_atomically

if TYPE_CHECKING:
    from jurydesk.core.execution.run import Run


@dataclass(frozen=True, slots=True)
class JarOptions:
    """Options of the jar's file mode: `-r`, `-q`, `-vOut`, `-ssOut`, `-writeAlignments`, `-f`."""

    references: int = 1
    is_quiet: bool = False
    is_verbose: bool = False
    has_statistics: bool = False
    alignments: Path | None = None


def read_pairs(test: Path, reference: Path, references: int) -> list[Pair]:
    """Return the lines of TEST, each with its consecutive lines of REFERENCE.

    Raises:
        UsageError: There are no lines, or their numbers do not fit.
    """
    lines, others = (path.read_text("utf-8", UTF_8_ERRORS) for path in (test, reference))
    hypotheses, texts = _lines(lines), _lines(others)
    if not hypotheses:
        raise UsageError(fill("{test} has no lines.", test))
    if len(texts) != references * len(hypotheses):
        raise UsageError(
            fill(
                "{test} has {hypotheses:,} lines, so {reference} must have {value:,}, but it "
                "has {texts:,}.",
                test,
                len(hypotheses),
                reference,
                references * len(hypotheses),
                len(texts),
            )
        )
    return [
        (text, texts[row * references : (row + 1) * references])
        for row, text in enumerate(hypotheses)
    ]


def _lines(text: str) -> list[str]:
    """Return the lines of a text in which universal newlines were read, as Java reads them."""
    lines = text.split("\n")
    return lines[:-1] if lines[-1] == "" else lines


def score_files(
    scorer: Meteor, pairs: Sequence[Pair], config: Config, options: JarOptions, run: Run
) -> Iterator[tuple[str, bool]]:
    """Yield the lines that the jar prints, and whether each goes to standard error."""
    rows = scorer.score_many(pairs, config, run).rows
    rows = np.concatenate([np.zeros((0, NUMBER)), rows])
    if options.alignments is not None:
        write_atomically(options.alignments, partial(write_alignments, scorer, pairs, config, run))
    if options.has_statistics:
        yield from ((statistics_line(row), False) for row in rows.tolist())
        return
    if not options.is_quiet:
        yield from ((line, False) for line in header(config))
    for number, row in enumerate(rows.tolist(), 1):
        values = segment_values(row, config, verbose=options.is_verbose)
        is_bare = options.is_quiet and not options.is_verbose
        yield values if is_bare else f"Segment {number} score:\t{values}", is_bare
    system = list(system_statistics(rows, config))
    if options.is_quiet:
        system = [system[-1].rpartition(" ")[2]]
    yield from ((line, False) for line in system)


def write_alignments(
    scorer: Meteor, pairs: Sequence[Pair], config: Config, run: Run, file: BinaryIO
) -> None:
    """Write the alignment of every pair with its best reference."""
    for number, (hypothesis, references) in enumerate(pairs, 1):
        run.check()
        alignment = scorer.score(hypothesis, references, config)
        for line in alignment_lines(number, alignment):
            file.write(f"{line}\n".encode())
