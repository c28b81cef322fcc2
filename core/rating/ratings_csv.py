"""Every rating of a desk as a table: who said what of which system's entry."""

from __future__ import annotations

from collections.abc import Iterator

from core.desk import Desk
from core.export.cells import csv_text, defused
from core.rating.ratings import Given, Ratings, ratings_in
from core.rating.store import RatingStore


def ratings_csv(desk: Desk) -> bytes:
    """All answers in a desk as CSV, in the order in which they were asked for.

    Entries that are shown together are joined by ` | ` in the order of the page; texts cannot
    become formulas.
    """
    ratings = ratings_in(RatingStore(desk))
    item = ratings.study.words.item[0]
    head = ("rater", "kind", item, "systems", "question", "answer", "seconds")
    return csv_text([head, *_rows(ratings)])


def _rows(ratings: Ratings) -> Iterator[list[object]]:
    for rater, items in zip(ratings.raters, ratings.given, strict=True):
        for given in items:
            for question, answer in given.answers.items():
                yield _row(ratings, rater, given, question, answer)


def _row(ratings: Ratings, rater: str, given: Given, question: str, answer: object) -> list[object]:
    pool, item = ratings.study.pool, given.item
    said = " ".join(map(str, answer)) if isinstance(answer, list) else answer
    return [
        defused(rater),
        ratings.study.words.entry[0] if item.kind == "story" else item.kind,
        defused(pool.items[item.sequence].id),
        defused(" | ".join(pool.systems[system] for system in item.systems)),
        question,
        defused(said) if isinstance(said, str) else said,
        round(given.seconds, 3),
    ]
