"""`jurydesk meteor`: bulk METEOR, and the protocol of the jar."""

from __future__ import annotations

import contextlib
import json
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

import click
import numpy as np

from jurydesk.core.cli.command import CliCommand, CommandContext
from jurydesk.core.cli.console import print_result
from jurydesk.core.cli.exit_codes import (
    DONE,
    INPUT_ERRORS,
    CommandError,
    input_errors,
    output_errors,
    require_writable,
)
from jurydesk.core.cli.output import STANDARD_OUTPUT, is_standard_output
from jurydesk.core.cli.parameters import file_option, flag
from jurydesk.core.cli.running import open_run
from jurydesk.core.metrics.meteor.batch import Batch, Pair
from jurydesk.core.metrics.meteor.config import PROFILES, TASKS, Config, jar_config, profile
from jurydesk.core.metrics.meteor.formula import NUMBER
from jurydesk.core.model.defects import Defect, Place, error
from jurydesk.core.model.evaluation import FloatArray
from jurydesk.core.system.paths import write_atomically

if TYPE_CHECKING:
    from jurydesk.core.execution.run import Run
    from jurydesk.core.metrics.meteor.batch import Pair

MOST_TOLD = 1000
"""So many bad lines are told one by one: who has more gave the wrong file."""

JAR_FILES = (
    "Of the jar's arguments, - - -stdio is taken, with its flags. Score files with --pairs FILE."
)
NOTHING_ASKED = "Give --pairs FILE, or --stdio to speak the protocol of the jar, or --prepare."


@click.pass_obj
def meteor_command(
    surroundings: CommandContext,
    /,
    pairs: Path | None,
    out: Path | None,
    stdio: bool,
    prepare: bool,
    corpus: bool,
    streams: tuple[str, ...],
    language: str,
    **chosen: Any,
) -> int:
    """Do the one thing that was asked for."""
    if streams and (streams != ("-", "-") or not stdio):
        raise click.UsageError(JAR_FILES)
    config = meteor_config(**chosen)
    if sum((pairs is not None, stdio, prepare)) != 1:
        raise click.UsageError(NOTHING_ASKED)
    if pairs is not None:
        require_writable(out, "--out")
        return score_pairs(PairFile(surroundings, pairs, config), out, corpus=corpus)
    return serve_stdio(config, surroundings) if stdio else prepare_index(surroundings)


def meteor_config(profile_name: str | None, task: str | None, **flags: bool) -> Config:
    """METEOR's configuration; a usage error where a profile and its parts are both given."""
    if profile_name is None:
        return jar_config(task or "rank", **flags)
    if task is not None or any(flags.values()):
        raise click.UsageError("--profile sets the task and the text; leave the other flags out.")
    return profile(profile_name)


def prepare_index(surroundings: CommandContext) -> int:
    """Build the index of METEOR's language data, where there is none yet."""
    from jurydesk.core.metrics.meteor import open_or_build_index
    from jurydesk.core.metrics.meteor.language_data import index_location
    from jurydesk.core.metrics.meteor.language_data import source_files as data

    if not index_location.index_path(data.installed_language_data()).is_file():
        surroundings.remark("Preparing METEOR's language data; this is done once.")
    with open_run(surroundings) as run:
        open_or_build_index(run)
    return DONE


def serve_stdio(config: Config, surroundings: CommandContext) -> int:
    """Answer the lines of standard input as the jar does, until they end."""
    from jurydesk.core.metrics.meteor import shared_meteor as opened
    from jurydesk.core.metrics.meteor.stdio_protocol import serve_protocol as answer

    # Java ends a line at CR, LF or both, and writes LF.
    for stream, newline in ((sys.stdin, None), (sys.stdout, "\n")):
        stream.reconfigure(encoding="utf-8", errors="replace", newline=newline)  # type: ignore[union-attr]
    with open_run(surroundings) as run:
        answer(opened(run), config, sys.stdin, sys.stdout)
    return DONE


@dataclass(frozen=True, slots=True)
class PairFile:
    """A file of pairs and how to score it."""

    surroundings: CommandContext
    pairs: Path
    config: Config

    @contextlib.contextmanager
    def stream(self) -> Iterator[BinaryIO]:
        """The open file, or standard input for `-`."""
        if is_standard_output(self.pairs):
            yield sys.stdin.buffer
            return
        with input_errors():
            stream = self.pairs.open("rb")
        with stream:
            yield stream

    def slices(self) -> Iterator[list[Pair]]:
        """The pairs, some thousands at a time; none after a bad line, and a Fault at the end."""
        bad = 0
        with self.stream() as stream:
            for pairs, defects in read_pair_batches(stream, self.pairs):
                self.surroundings.report(defects[: max(MOST_TOLD - bad, 0)])
                bad += len(defects)
                if not bad:
                    yield pairs
        if bad:
            untold = f" and {bad - MOST_TOLD:,} more" if bad > MOST_TOLD else ""
            raise CommandError(
                f"The lines above{untold} have errors: mend them first.", INPUT_ERRORS
            )

    def write(self, run: Run, file: BinaryIO) -> FloatArray:
        """Write a line for each pair; the counts (pairs, 23)."""
        from jurydesk.core.metrics.meteor import shared_meteor as opened

        rows = [np.zeros((0, NUMBER))]
        scorer = opened(run)
        for pairs in self.slices():
            for found in scorer.align_many(pairs, self.config, run):
                file.write(score_lines(found))
                rows.append(found.rows)
        return np.concatenate(rows)

    def count(self, run: Run) -> FloatArray:
        """The counts (pairs, 23) alone."""
        from jurydesk.core.metrics.meteor import shared_meteor as opened

        scorer = opened(run)
        rows = [scorer.score_many(pairs, self.config, run).rows for pairs in self.slices()]
        return np.concatenate([np.zeros((0, NUMBER)), *rows])


def score_pairs(bulk: PairFile, out: Path | None, *, corpus: bool) -> int:
    """Write the scored lines to the file, whole or not at all, or to standard output."""
    from jurydesk.core.metrics.meteor import corpus_score

    found: list[FloatArray] = []
    with open_run(bulk.surroundings) as run:

        def write(file: BinaryIO) -> None:
            found.append(bulk.write(run, file))

        if out is None and corpus:
            found.append(bulk.count(run))
        elif out is None or out == STANDARD_OUTPUT:
            write(sys.stdout.buffer)
            sys.stdout.buffer.flush()
        else:
            with output_errors(out):
                write_atomically(out, write)
    if corpus:
        print_result(repr(float(corpus_score(found[0], bulk.config.weights))))
    return DONE


command = CliCommand(
    "meteor",
    callback=meteor_command,
    params=[
        file_option(
            "--pairs",
            metavar="FILE.jsonl",
            help='Lines of {"hyp": text, "refs": [text, ...]}; - reads standard input.',
        ),
        file_option(
            "--out",
            metavar="FILE.jsonl",
            help='Lines of {"score", "stats", "matches"} in the same order; else standard output.',
        ),
        flag("--corpus", help="Print the score of all pairs together."),
        flag("--stdio", "-stdio", "stdio", help="Speak the protocol of meteor-1.5.jar -stdio."),
        flag("--prepare", help="Build the index of the language data now."),
        click.Option(
            ["--profile", "profile_name"],
            type=click.Choice(list(PROFILES)),
            help="vist: task hter, the text as it is; coco: -l en -norm, the default task.",
        ),
        click.Option(
            ["--task", "-t", "task"],
            type=click.Choice(list(TASKS)),
            help="The tuned parameters.",
        ),
        flag("--norm", "-norm", "norm", help="Split punctuation off, and lower the case."),
        flag("--lower", "-lower", "lower", help="Lower the case."),
        flag("--no-punct", "-noPunct", "no_punct", help="With --norm, drop the punctuation."),
        flag("--char", "-ch", "char", help="Count the characters of words, as -ch does."),
        click.Option(
            ["-l", "language"],
            type=click.Choice(["en"]),
            default="en",
            help="The language, as the jar takes it.",
        ),
        click.Argument(["streams"], nargs=-1, metavar="[- -]"),
    ],
    help="Score pairs of a hypothesis and its references with METEOR 1.5.",
)


SLICE = 20_000
"""Pairs that are held in memory at a time."""

SHAPE = 'A line is a JSON object with "hyp", a text, and "refs", a list of texts.'


def read_pair_batches(stream: BinaryIO, path: Path) -> Iterator[tuple[list[Pair], list[Defect]]]:
    """The pairs of a file, some thousands at a time, and what is wrong with their lines."""
    numbered = enumerate(stream, start=1)
    while lines := list(islice(numbered, SLICE)):
        read = [read_pair(line, path, number) for number, line in lines]
        yield (
            [pair for pair in read if not isinstance(pair, Defect)],
            [defect for defect in read if isinstance(defect, Defect)],
        )


def read_pair(line: bytes, path: Path, number: int) -> Pair | Defect:
    """The hypothesis and the references of one line, or what is wrong with it."""
    if not line.strip():
        return _wrong(path, number, "The line is empty.")
    try:
        data = json.loads(line)
    except UnicodeDecodeError:
        return _wrong(path, number, "The line is not UTF-8.")
    except (ValueError, RecursionError) as fault:
        return _wrong(path, number, f"The line is no JSON: {getattr(fault, 'msg', fault)}.")
    if not isinstance(data, dict):
        return _wrong(path, number, "The line is no JSON object.")
    hypothesis, references = data.get("hyp"), data.get("refs")
    if not isinstance(hypothesis, str):
        return _wrong(path, number, '"hyp" is missing or no text.')
    if not isinstance(references, list) or not all(isinstance(text, str) for text in references):
        return _wrong(path, number, '"refs" is missing or no list of texts.')
    return hypothesis, references


def _wrong(path: Path, number: int, found: str) -> Defect:
    return error(Place(str(path), number), found, SHAPE)


def score_lines(found: Batch) -> bytes:
    """A line for each hypothesis: its score, its 23 counts, its matches.

    Numbers and lists of them are written in Python as in JSON, and several times faster.
    """
    rows = found.rows.astype(np.int64).tolist()
    lines = zip(found.scores.tolist(), rows, found.matches_by_hypothesis(), strict=True)
    return "".join(
        f'{{"score": {score!r}, "stats": {counts}, "matches": {matches}}}\n'
        for score, counts, matches in lines
    ).encode("ascii")
