"""Marks of numbers that are not reliable: of random weights, and of few groups."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

from jurydesk.core.competition.stamped_options import make_options
from jurydesk.core.competition.task import Task
from jurydesk.core.desk.summary import Summary
from jurydesk.core.language import Message, counted, join_messages, translatable
from jurydesk.core.model.evaluation import Score, UsageError
from jurydesk.core.model.stamp import StampError
from jurydesk.core.statistics.groups import FEW_GROUPS

RANDOM_WEIGHTS = translatable("Not reliable: the models have random weights.")
RESAMPLED = re.compile(r"\b(?:of|over|and) ([\d,]+) ([^\W\d][^,]*?)(?=,| and |$)")
"""Number and noun of the groups in the method of an interval, such as `of 6 keywords`."""
UNEQUAL = re.compile(r"effectively [\d.]+ \(the largest holds \d+ %\)")
"""Effective number of the groups in such a method, if unequal sizes make them few."""


def random_metrics(task: Task[Any, Any, Any], summaries: Iterable[Summary]) -> frozenset[str]:
    """Return the metrics that models with random weights made, for any of the results."""
    found: set[str] = set()
    if not hasattr(task.scoring.options, "meaningless_metrics"):
        return frozenset()
    for options in {repr(one.options): one.options for one in summaries}.values():
        try:
            made = make_options(task, options)
            found.update(getattr(made, "meaningless_metrics", tuple)())
        except (StampError, UsageError, AttributeError, TypeError):
            continue  # options of another version, or damaged ones
    return frozenset(found)


def few_groups(score: Score | None, nouns: tuple[str, str] = ("item", "items")) -> str:
    """Return the groups of an interval if they are few, such as `6 keywords`; else nothing.

    Unequal sizes can make them effectively few: `26 keywords, effectively 3.1 (…)`. An interval
    whose method names no groups is of items, which have these nouns.
    """
    if score is None or score.interval is None:
        return ""
    method = score.interval.method
    count, text = _fewest_groups(score, nouns)
    unequal = UNEQUAL.search(method)
    if not (unequal or 0 < count < FEW_GROUPS):
        return ""
    return join_messages([text, *([_known_part(method, unequal[0])] if unequal else [])], ", ")


def resampled_groups(score: Score | None, nouns: tuple[str, str]) -> str:
    """Return the groups, or items, of which an interval is, such as `310 albums`; else nothing."""
    return "" if score is None or score.interval is None else _fewest_groups(score, nouns)[1]


def _fewest_groups(score: Score, nouns: tuple[str, str]) -> tuple[int, str]:
    method = "" if score.interval is None else score.interval.method
    groups = [
        (int(number.replace(",", "")), _known_part(method, f"{number} {noun}"))
        for number, noun in RESAMPLED.findall(method)
    ]
    return min(groups, default=(score.n, counted(score.n, *nouns)))


def _known_part(method: str, text: str) -> str:
    """Return the message inside a method that has this text, with its own plural forms."""
    return {str.__str__(one): one for one in _parts(method)}.get(text, text)


def _parts(message: object) -> Iterator[str]:
    """Yield the messages inside a message."""
    if isinstance(message, Message):
        for one in message.arguments.values():
            yield from _parts(one)
        yield message
