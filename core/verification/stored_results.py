"""Results of a desk against those of its inputs, scored again."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from jurydesk.core.analysis.contradictions import ABSOLUTE_TOLERANCE, RELATIVE_TOLERANCE
from jurydesk.core.desk.evaluation_rows import pack_evaluation, unpack_rows
from jurydesk.core.language import fill
from jurydesk.core.language.message import encode_message
from jurydesk.core.model.evaluation import Curve, Score
from jurydesk.core.model.json_codec import figure_json, to_json
from jurydesk.core.model.stamp import is_added
from jurydesk.core.verification.differences import find_difference, without_folders

if TYPE_CHECKING:
    from jurydesk.core.model.evaluation import Evaluation, ItemTable, Json


def as_stored(value: Any) -> Any:
    """Return evidence as a desk stores it: the values of a row, or a JSON value."""
    return value


def differences_from_inputs(
    stored: Evaluation, again: Evaluation, *, other_code: bool = False
) -> Iterator[str]:
    """Yield a sentence for each part of a result that scoring its inputs does not give.

    The evidence of `stored` was loaded by `as_stored`. With `other_code` a result may lack what the
    modules of today store.
    """
    again = unpack_rows(pack_evaluation(again), as_stored)
    name = stored.system
    if stored.task != again.task:
        yield fill("{system}: its stamp is that of another.", name)
    yield from _score_differences(stored, again, other_code=other_code)
    if list(stored.items.ids) != list(again.items.ids):
        yield fill("{system}: the items are not those of its files.", name)
        return
    for column in _different_columns(stored, again, other_code=other_code):
        yield fill("{system}: the column {name} is not that of its files.", name, column)
    if not other_code:
        yield from (
            fill("{system}, {difference}", name, sentence)
            for sentence in _shown_differences(stored, again)
        )


def has_other_defects(stored: Evaluation, again: Evaluation) -> bool:
    """Return whether the defects differ, whose places are paths of the machine that scored."""
    one, other = (without_folders(to_json(each.defects)) for each in (stored, again))
    return bool(one != other)


def _score_differences(stored: Evaluation, again: Evaluation, *, other_code: bool) -> Iterator[str]:
    added = {info.name for info in stored.metrics if is_added(info)}
    scores = {score.metric: score for score in again.scores}
    shown = [score for score in stored.scores if score.metric not in added]
    for score in shown:
        other = scores.pop(score.metric, Score(score.metric, math.nan, -1))
        for part, kept, made in _score_parts(score, other):
            if not _same(kept, made):
                yield fill(
                    "{system}, {metric}: the desk has {value}, its files give {again}.",
                    stored.system,
                    score.metric if part == "value" else f"{score.metric} ({part})",
                    *(repr(kept), repr(made)),
                )
                break
        else:
            yield from () if other_code else _method_difference(stored.system, score, other)
    for metric in () if other_code else scores:
        yield fill("{system}, {metric}: the desk lacks this score.", stored.system, metric)


def _score_parts(one: Score, other: Score) -> Iterator[tuple[str, float, float]]:
    """Yield the numbers of two scores with their names; NaN for one without an interval."""
    for part in ("value", "n", "std"):
        yield part, getattr(one, part), getattr(other, part)
    for part in ("low", "high", "level"):
        kept, made = (getattr(each.interval, part, math.nan) for each in (one, other))
        yield part, kept, made


def _method_difference(system: str, one: Score, other: Score) -> Iterator[str]:
    """Yield a sentence if the interval of a score states another method."""
    if one.interval is not None and other.interval is not None:
        kept, made = ({"": encode_message(each.method)} for each in (one.interval, other.interval))
        if [*_first_difference(kept, made)]:
            yield fill(
                "{system}, {metric}: the desk has {value}, its files give {again}.",
                *(system, f"{one.metric} (method)", one.interval.method, other.interval.method),
            )


def _different_columns(stored: Evaluation, again: Evaluation, *, other_code: bool) -> Iterator[str]:
    added = {info.name for info in stored.metrics if is_added(info)}
    one, other = stored.items.columns, again.items.columns
    for name in dict.fromkeys([*one, *(() if other_code else other)]):
        is_same = name in one and name in other and _same(one[name], other[name])
        if name not in added and not is_same:
            yield name


def _shown_differences(stored: Evaluation, again: Evaluation) -> Iterator[str]:
    """Yield the first difference of the texts and figures, and of the evidence of items."""
    one, other = _texts_and_figures(stored), _texts_and_figures(again)
    yield from _first_difference(one, other)
    for name in _different_curves(stored, again):
        yield fill("the curves of {name} are not those of its files.", name)
    for number in _evidence_numbers(stored.items, again.items):
        kept, made = (
            {"evidence": to_json(each.evidence(number) if each.evidence else None)}
            for each in (stored.items, again.items)
        )
        if kept != made and (found := [*_first_difference(kept, made)]):
            yield from found
            return


def _first_difference(one: Mapping[str, Json], other: Mapping[str, Json]) -> Iterator[str]:
    found, _ = find_difference("json", one, json.dumps(other))
    if found is not None:
        yield found.sentence


def _texts_and_figures(result: Evaluation) -> dict[str, Json]:
    shared = result.items.evidence_of
    return {
        "about": result.about,
        "noun": result.items.noun,
        "figures": list(map(figure_json, result.figures)),
        "evidence of items": None if shared is None else shared.tolist(),
    }


def _different_curves(stored: Evaluation, again: Evaluation) -> Iterator[str]:
    """Yield the names of figures whose curves of items differ."""
    for one, other in zip(stored.figures, again.figures, strict=False):
        kept, made = (each.members if isinstance(each, Curve) else None for each in (one, other))
        if (kept is None) != (made is None) or (kept is not None and not _same(kept, made)):
            yield one.name


def _evidence_numbers(stored: ItemTable, again: ItemTable) -> range:
    """Return the numbers of all evidence, of which several items may have the same."""
    if stored.evidence is None and again.evidence is None:
        return range(0)
    shared = again.evidence_of
    return range(len(again) if shared is None else int(shared.max(initial=-1)) + 1)


def _same(one: Any, other: Any) -> bool:
    first, second = np.asarray(one, np.float64), np.asarray(other, np.float64)
    if first.shape != second.shape:
        return False
    tolerance = {"rtol": RELATIVE_TOLERANCE, "atol": ABSOLUTE_TOLERANCE}
    return bool(np.allclose(first, second, equal_nan=True, **tolerance))
