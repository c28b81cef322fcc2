"""Values of the answers in an imported table, by the scales of their statements."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

from jurydesk.core.human_evaluation.imported.answer_scales import (
    AnswerScale,
    find_extremes,
    find_preference,
    find_scale,
)
from jurydesk.core.human_evaluation.imported.rating_rows import RatingRow
from jurydesk.core.human_evaluation.imported.ratings_options import RatingsOptions
from jurydesk.core.language import counted, fill, name_list
from jurydesk.core.model.defects import Defect, Place, note, warning
from jurydesk.core.model.evaluation import Json

Values = Mapping[str, AnswerScale]
"""Scales by statement."""
KEPT = 1 << 16
"""Different answers that are kept as they were understood."""

LONGEST_SHOWN = 80
"""Letters of a statement in a sentence."""


def rated_scales(rows: Sequence[RatingRow], options: RatingsOptions) -> Values:
    """Return the scale of each statement about one system."""
    texts: dict[str, dict[str, None]] = {}
    for row in rows:
        texts.setdefault(row.statement, {})[row.value] = None
    return {
        statement: find_scale(tuple(dict.fromkeys(map(_single, found))), options)
        for statement, found in texts.items()
    }


@lru_cache(KEPT)
def _single(text: str) -> str:
    """Return the only entry of a list in JSON, or the text."""
    match = re.fullmatch(r'\[\s*"?([^"\[\],]*)"?\s*\]', text)
    return match[1].strip() if match else text


def compared_scales(rows: Sequence[RatingRow]) -> Values:
    """Return the scale of each statement that compares systems; most answers must be clear."""
    read: dict[str, list[bool]] = {}
    ties: set[str] = set()
    for row in rows:
        found = _comparison(row.value, row.systems)
        read.setdefault(row.statement, []).append(found is not None)
        if found == 0:
            ties.add(row.statement)
    kind = "pairwise" if max(len(row.systems) for row in rows) == 2 else "best-worst"
    return {
        statement: AnswerScale(
            kind if 2 * sum(clear) > len(clear) else "comment",  # type: ignore[arg-type]
            {},
            labels=("tie",) if statement in ties else (),
        )
        for statement, clear in read.items()
    }


@lru_cache(KEPT)
def _comparison(value: str, systems: tuple[str, ...]) -> Json:
    """Return the answer of a row that compares systems; None if it is unclear."""
    find = find_preference if len(systems) == 2 else find_extremes
    return find(_single(value), systems)


def value_of(row: RatingRow, scale: AnswerScale) -> Json:
    """Return the value of a row's answer; None if it is unclear."""
    if scale.kind in ("pairwise", "best-worst"):
        return _comparison(row.value, row.systems)
    return scale.values.get(_single(row.value))


def value_defects(rows: Sequence[RatingRow], values: Values, place: Place) -> Iterator[Defect]:
    """Yield which statements are no ratings, which answers are unclear, and what was guessed."""
    texts = [statement for statement, scale in values.items() if scale.kind == "comment"]
    if texts:
        found = fill("Answers that are texts, not ratings: {names}.", name_list(_shown(texts), 6))
        yield note(place, found, "They are left out.")
    unclear = Counter(
        row.statement
        for row in rows
        if values[row.statement].kind != "comment" and value_of(row, values[row.statement]) is None
    )
    for statement, count in unclear.items():
        example = next(
            row.value
            for row in rows
            if row.statement == statement and value_of(row, values[statement]) is None
        )
        found = fill(
            "{statement}: {answers} cannot be read, such as {example}.",
            *(*_shown([statement]), counted(count, "answer"), f'"{example[:40]}"'),
        )
        yield warning(place, found, "They are left out.", count=count)
    unordered = [statement for statement, scale in values.items() if scale.kind == "category"]
    if unordered:
        found = fill("Categories without an order: {names}.", name_list(_shown(unordered), 6))
        yield note(place, found, "They give agreement, no ranking. --order WORD orders them.")


def _shown(statements: Sequence[str]) -> list[str]:
    """Return statements for a sentence, of which long ones end early."""
    return [one if len(one) <= LONGEST_SHOWN else f"{one[:LONGEST_SHOWN]}…" for one in statements]
