"""Protocol of `meteor-1.5.jar -stdio`, for programs that drive the jar.

SCORE ||| reference ||| ... ||| hypothesis    prints the 23 counts
EVAL ||| counts ||| ...                       a score for each, then that of their sum
SING ||| counts                               one score
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TextIO

import numpy as np

from jurydesk.core.metrics.meteor import java_semantics
from jurydesk.core.metrics.meteor.config import Config
from jurydesk.core.metrics.meteor.formula import NUMBER, corpus_score, score_parts
from jurydesk.core.metrics.meteor.scorer import Meteor

SEPARATOR = "|||"

NO_COMMAND = "Error: specify SCORE or EVAL or SING"
NO_REFERENCE = "Error: specify hypothesis and at least one reference"
NO_COUNTS = "Error: specify Meteor stats"


def serve_protocol(meteor: Meteor, config: Config, source: Iterable[str], sink: TextIO) -> None:
    """Answer every line of `source` on `sink` immediately, until the source ends."""
    for line in source:
        for answer in answers(meteor, config, line.rstrip("\n")):
            sink.write(f"{answer}\n")
        sink.flush()


def answers(meteor: Meteor, config: Config, line: str) -> list[str]:
    """Return the lines that the jar prints in answer to a line.

    The jar ends with a stack trace for counts other than 23 numbers; here the answer is its line
    for missing counts.
    """
    fields = _fields(line)
    if line.startswith(("SCORE", "score")):
        return [_counts(meteor, config, fields)] if len(fields) > 1 else [NO_REFERENCE]
    if not line.startswith(("EVAL", "eval", "SING", "sing")):
        return [NO_COMMAND]
    try:
        rows = np.array([_numbers(field) for field in fields])
    except ValueError:
        return [NO_COUNTS]
    single = line.startswith(("SING", "sing"))
    if not len(rows) or (single and len(rows) != 1):
        return [NO_COUNTS]
    scores = [
        java_semantics.double_to_string(score_parts(row, config.weights).score)
        for row in rows.tolist()
    ]
    return (
        scores
        if single
        else [*scores, java_semantics.double_to_string(corpus_score(rows, config.weights))]
    )


def _fields(line: str) -> list[str]:
    """Return the fields after the command; Java's split drops empty ones at the end."""
    fields = line.split(SEPARATOR)
    while fields and not fields[-1]:
        fields.pop()
    return [field.strip(java_semantics.SPACES) for field in fields[1:]]


def _counts(meteor: Meteor, config: Config, fields: list[str]) -> str:
    *references, hypothesis = fields
    counts = meteor.score(hypothesis, references, config).counts
    return " ".join(java_semantics.double_to_string(float(count)) for count in counts)


def _numbers(field: str) -> list[float]:
    numbers = [float(number) for number in field.split()[:NUMBER]]
    if len(numbers) != NUMBER:
        raise ValueError(f"{len(numbers)} counts instead of {NUMBER}")
    return numbers
