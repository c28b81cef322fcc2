"""Tables of a study's results as files: raters, agreement, ranking, correlations."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from jurydesk.core.desk import Desk
from jurydesk.core.desk.inference_settings import load_inference
from jurydesk.core.export.export_settings import ExportOrigin, desk_origin
from jurydesk.core.human_evaluation.design.study_store import ratings_source
from jurydesk.core.model.evaluation import IntArray, Interval
from jurydesk.core.tables.columns import DataColumn

if TYPE_CHECKING:
    from jurydesk.core.human_evaluation.design.study import RatingStudy
    from jurydesk.core.human_evaluation.results.findings import StudyFindings
    from jurydesk.core.human_evaluation.results.metric_correlation import AnyTask
    from jurydesk.core.statistics.agreement import Agreement

STUDY = "study table"
"""Kind of the tables; a format has the form after it."""
RATERS, AGREEMENT, RANKING, CORRELATIONS = "raters", "agreement", "ranking", "correlations"
NUMBERS = ("seconds", "straight", "severity", "drift", "consistency", "missing")
KINDS = ("pearson", "spearman", "kendall")


def study_table(
    name: str, study: RatingStudy, people: StudyFindings | None, profile: str
) -> list[DataColumn]:
    """Return a table by its name; `profile` is that of the metrics, for correlations.

    Raises KeyError for another name.
    """
    tables = {
        RATERS: lambda: _raters(study, people),
        AGREEMENT: lambda: _agreement(people),
        RANKING: lambda: _ranking(people),
        CORRELATIONS: lambda: _correlations(people, profile),
    }
    return tables[name]()


def study_table_origin(
    desk: Desk, task: AnyTask, name: str, rows: IntArray, profile: str
) -> ExportOrigin | None:
    """Return the origin of these rows of a table as CSV; None without answers.

    Correlations follow from the desk's results too.
    """
    ratings = ratings_source(desk)
    if ratings is None:
        return None
    summaries = desk.evaluations() if name == CORRELATIONS else ()
    return desk_origin(
        *(f"{STUDY} csv", desk, task.id, summaries, load_inference(desk), ratings),
        table=name,
        profile=profile,
        rows=rows.tolist(),
    )


def ranking_order(people: StudyFindings) -> list[int]:
    """Return the systems by decreasing mean of the last question, all statements together."""
    means = [score.value if score.n else -np.inf for score in people.outcomes[-1].scores]
    return sorted(range(len(people.systems)), key=lambda at: (-means[at], at))


def _raters(study: RatingStudy, people: StudyFindings | None) -> list[DataColumn]:
    found = {one.rater: one for one in people.raters} if people else {}
    reports = [found.get(rater.code) for rater in study.raters]
    return [
        ("rater", [rater.code for rater in study.raters]),
        ("done", [one.done if one else 0 for one in reports]),
        ("items", [len(rater.tasks) for rater in study.raters]),
        *((name, [getattr(one, name) if one else None for one in reports]) for name in NUMBERS),
        ("checks_passed", [one.attention[0] if one else None for one in reports]),
        ("checks", [one.attention[1] if one else None for one in reports]),
    ]


def _agreement(people: StudyFindings | None) -> list[DataColumn]:
    found = people.agreements if people else ()
    columns: list[DataColumn] = [("question", [one.question for one in found])]
    for name in ("alpha", "icc", "icc_1k", "exact"):
        columns += _measures(name, [getattr(one, name) for one in found])
    return columns


def _measures(name: str, found: Iterable[Agreement | None]) -> list[DataColumn]:
    """Return a measure and the ends of its interval."""
    values = list(found)
    ends = [None if one is None else one.interval for one in values]
    return [(name, [None if one is None else one.value for one in values]), *_ends(name, ends)]


def _ends(name: str, intervals: Sequence[Interval | None]) -> list[DataColumn]:
    return [
        (f"{name}_low", [None if one is None else one.low for one in intervals]),
        (f"{name}_high", [None if one is None else one.high for one in intervals]),
    ]


def _ranking(people: StudyFindings | None) -> list[DataColumn]:
    if people is None:
        return [("system", [])]
    order = ranking_order(people)
    columns: list[DataColumn] = [("system", [people.systems[at] for at in order])]
    for outcome in (*people.outcomes[-1:], *people.outcomes[:-1]):
        scores = [outcome.scores[at] for at in order]
        columns.append((outcome.question, [one.value if one.n else None for one in scores]))
        columns += _ends(outcome.question, [one.interval for one in scores])
        ranks = [str(outcome.ranks[at]) for at in order]
        columns.append((f"{outcome.question}_rank", ranks))
    return columns


def _correlations(people: StudyFindings | None, profile: str) -> list[DataColumn]:
    listed = people.correlations.get(profile, ()) if people else ()
    rows: dict[tuple[str, str, str], dict[str, Agreement]] = {}
    counts: dict[tuple[str, str, str], int] = {}
    for one in listed:
        key = (one.metric, one.question, one.level)
        rows.setdefault(key, {})[one.kind] = one.found
        counts[key] = one.n
    columns: list[DataColumn] = [
        ("metric", [metric for metric, _, _ in rows]),
        ("question", [question for _, question, _ in rows]),
        ("over", [level for _, _, level in rows]),
        ("n", list(counts.values())),
    ]
    for kind in KINDS:
        columns += _measures(kind, [row.get(kind) for row in rows.values()])
    return columns
