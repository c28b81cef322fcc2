"""Exports of a study: agreement, board with ratings, all results, and every rating."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Literal, get_args

from jurydesk.core.analysis.leaderboard import Leaderboard, make_leaderboard
from jurydesk.core.analysis.significance.leaderboard_significance import desk_significance
from jurydesk.core.competition.task import AnyTask
from jurydesk.core.desk import Desk
from jurydesk.core.desk.inference_settings import load_inference
from jurydesk.core.export.export_settings import ExportOrigin, desk_origin
from jurydesk.core.export.leaderboard_export import board_json
from jurydesk.core.export.results_json import encode_json
from jurydesk.core.human_evaluation.design.study_store import RatingStore, ratings_source
from jurydesk.core.human_evaluation.results.findings import (
    StudyFindings,
    compute_findings,
    load_findings,
)
from jurydesk.core.human_evaluation.results.metric_correlation import RatingCorrelation
from jurydesk.core.human_evaluation.results.ratings import ItemRatings, StudyRatings, load_ratings
from jurydesk.core.human_evaluation.results.study_tables import pair_family
from jurydesk.core.model.evaluation import Json
from jurydesk.core.model.json_codec import to_json
from jurydesk.core.tables.table_file import csv_text, escape_formula

if TYPE_CHECKING:
    from jurydesk.core.execution.run import Run

SCHEMA = 1
RatingsFormat = Literal["agreement", "ratings board", "study results", "every rating"]
RATINGS_FORMATS: tuple[RatingsFormat, ...] = get_args(RatingsFormat)
WITHOUT_SCORES = ("agreement", "every rating")
"""Formats that follow from the ratings alone."""


def ratings_origin(kind: RatingsFormat, desk: Desk, task: AnyTask) -> ExportOrigin:
    """Return the origin of an export: the desk's ratings, and its results if they matter."""
    summaries = () if kind in WITHOUT_SCORES else desk.evaluations()
    return desk_origin(kind, desk, task, summaries, load_inference(desk), ratings_source(desk))


def ratings_file(
    kind: RatingsFormat, desk: Desk, task: AnyTask, run: Run, origin: ExportOrigin
) -> bytes:
    """Return the content of an export. Raises Cancelled."""
    if kind == "every rating":
        return ratings_csv(load_ratings(RatingStore(desk)), origin)
    if kind == "agreement":
        return encode_json(agreement_json(compute_findings(desk, run, ()), origin))
    people = load_findings(desk, run, keep=False, task=task)
    if kind == "study results" or people is None:
        return encode_json(study_json(people, origin))
    board, correlations = ratings_board(people, desk, task, run)
    return encode_json(ratings_board_json(board, correlations, origin))


def ratings_board(
    people: StudyFindings, desk: Desk, task: AnyTask, run: Run
) -> tuple[Leaderboard, Sequence[RatingCorrelation]]:
    """Return the board with ratings, and the correlations of the first profile of rated systems."""
    summaries = desk.evaluations()
    significance = desk_significance(desk, task, summaries, run)
    rated = people.on_board(task, summaries, task.scoring.profiles[0])
    profile = next((one.profile for one in summaries if one.system in people.systems), "")
    rank_by = load_inference(desk).rank_by
    return make_leaderboard(*rated, significance, rank_by), people.correlations.get(profile, ())


def agreement_json(people: StudyFindings, origin: ExportOrigin) -> Json:
    """Return the results of `ratings agreement` as JSON; undefined numbers are null."""
    return {
        "schema": SCHEMA,
        "agreement": [
            {
                "question": one.question,
                "alpha": to_json(one.alpha),
                "icc_2k": to_json(one.icc),
                "icc_1k": to_json(one.icc_1k),
                "exact": to_json(one.exact),
                "gwet": to_json(one.gwet),
            }
            for one in people.agreements
        ],
        "ranking": [
            {
                "question": one.question,
                "remark": one.remark,
                "systems": [
                    {**to_json(score), "system": rank.system, "rank": [rank.first, rank.last]}
                    for score, rank in zip(one.scores, one.ranks, strict=True)
                ],
            }
            for one in people.outcomes
        ],
        "preferences": _preferences_json(people),
        "ratings": to_json(people.counts),
        "raters": to_json(people.raters),
        "programs": to_json(people.judges),
        **({"imported": people.imported} if people.imported else {}),
        **origin.members(),
    }


def ratings_board_json(
    board: Leaderboard, correlations: Sequence[RatingCorrelation], origin: ExportOrigin
) -> Json:
    """Return the board with ratings, and their correlations with the metrics."""
    listed = [
        {
            "metric": one.metric,
            "question": one.question,
            "level": one.level,
            "kind": one.kind,
            "n": one.n,
            **to_json(one.found),
        }
        for one in correlations
    ]
    return {**board_json(board), "correlations": listed, **origin.members()}


def study_json(people: StudyFindings | None, origin: ExportOrigin) -> Json:
    """Return all results of a study; None for a study without answers."""
    found = {**to_json(people), "preferences": _preferences_json(people)} if people else {}
    return {"schema": SCHEMA, **found, **origin.members()}


def _preferences_json(people: StudyFindings) -> list[Json]:
    """Return the preferences of each question, with the family of their p values."""
    return [{**to_json(one), "family": str(pair_family(people))} for one in people.preferences]


def ratings_csv(ratings: StudyRatings, origin: ExportOrigin) -> bytes:
    """Return all answers as CSV, in the order of presentation, with the origin in the first row.

    Entries that are shown together are joined by ` | ` in the order of the page; texts are escaped
    against formulas.
    """
    item, cells = ratings.study.words.item[0], origin.cells()
    head = ("rater", "kind", item, "systems", "question", "answer", "seconds")
    first, rest = list(cells.values()), [""] * len(cells)
    rows = [
        [*row, *(rest if number else first)] for number, row in enumerate(_rating_rows(ratings))
    ]
    return csv_text([[*head, *cells], *rows])


def _rating_rows(ratings: StudyRatings) -> Iterator[list[object]]:
    for rater, items in zip(ratings.raters, ratings.given, strict=True):
        for given in items:
            for question, answer in given.answers.items():
                yield _rating_row(ratings, rater, given, question, answer)


def _rating_row(
    ratings: StudyRatings, rater: str, given: ItemRatings, question: str, answer: object
) -> list[object]:
    pool, item = ratings.study.pool, given.item
    text = " ".join(map(str, answer)) if isinstance(answer, list) else answer
    return [
        escape_formula(rater),
        ratings.study.words.entry[0] if item.kind == "story" else item.kind,
        escape_formula(pool.items[item.sequence].id),
        escape_formula(" | ".join(pool.systems[system] for system in item.systems)),
        question,
        escape_formula(text) if isinstance(text, str) else text,
        round(given.seconds, 3),
    ]
