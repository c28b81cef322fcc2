"""Files that the Rate page writes: its tables, all results, every rating."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from jurydesk.app.pages.rate.rate_model import SCREEN_ONLY
from jurydesk.app.pages.rate.rate_tables import RatersCard, ResultsCard
from jurydesk.app.plots.plot_export import StampedTable, table_writer
from jurydesk.app.state.session import Session
from jurydesk.app.widgets.page_export import Export
from jurydesk.core.competition.task import AnyTask
from jurydesk.core.language import translatable, translate
from jurydesk.core.system.paths import write_atomically

if TYPE_CHECKING:
    from jurydesk.app.tables.table_view import Table
    from jurydesk.core.desk import Desk
    from jurydesk.core.human_evaluation.results.findings import StudyFindings
    from jurydesk.core.human_evaluation.results.ratings_export import RatingsFormat

FILES: tuple[tuple[str, str, RatingsFormat], ...] = (
    (translatable("All results as JSON …"), "*.json", "study results"),
    (translatable("Every rating as CSV …"), "*.csv", "every rating"),
)


def rate_exports(cards: Sequence[RatersCard | ResultsCard], session: Session) -> tuple[Export, ...]:
    """Return the exports of a study: the visible tables, all results, all ratings."""
    exports = []
    for card in cards:
        if card.table.table_model.columns:
            title = card.exported_title
            name = translate("{title} as CSV …", title=translate(title))
            make = partial(_study_table, card.table, title.lower(), session)
            exports.append(Export(name, "*.csv", table_writer("study table csv", make)))
    people = session.study_findings
    if people is not None and session.has_task:
        for name, pattern, kind in FILES:
            write = partial(_write_ratings, kind, session.desk, session.task, people)
            exports.append(Export(translate(name), pattern, write))
    return tuple(exports)


def _study_table(table: Table, name: str, session: Session, kind: str) -> StampedTable:
    """Return the visible rows of a table, with what they follow from."""
    from jurydesk.core.human_evaluation.results.study_tables import study_table_origin
    from jurydesk.core.tables.columns import data_columns
    from jurydesk.core.tables.table_file import take_rows

    rows = table.table_model.rows
    written = data_columns(one for one in table.table_model.columns if one.name not in SCREEN_ONLY)
    columns = take_rows(written, rows.tolist())
    if session.study_findings is None or not session.has_task:
        return columns, None
    return columns, study_table_origin(session.desk, session.task, name, rows, session.profile)


def _write_ratings(
    kind: RatingsFormat, desk: Desk, task: AnyTask, people: StudyFindings, path: Path
) -> None:
    from jurydesk.core.export.results_json import encode_json
    from jurydesk.core.human_evaluation.design.study_store import RatingStore
    from jurydesk.core.human_evaluation.results.ratings import load_ratings
    from jurydesk.core.human_evaluation.results.ratings_export import (
        ratings_csv,
        ratings_origin,
        study_json,
    )

    origin = ratings_origin(kind, desk, task)
    if kind == "study results":
        write_atomically(path, encode_json(study_json(people, origin)))
    else:
        write_atomically(path, ratings_csv(load_ratings(RatingStore(desk)), origin))
