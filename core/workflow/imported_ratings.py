"""Import of ratings from another program's table into a desk."""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from jurydesk.core.desk import Desk, DeskError
from jurydesk.core.human_evaluation.design.study_store import RatingStore
from jurydesk.core.human_evaluation.imported.imported_study import (
    ImportedRatings,
    KnownNames,
    read_imported_ratings,
)
from jurydesk.core.human_evaluation.imported.ratings_options import RatingsOptions
from jurydesk.core.language import fill, translate
from jurydesk.core.model.defects import Defect, Place, error, note
from jurydesk.core.model.look_alikes import look_alike_defects
from jurydesk.core.model.options import options_json
from jurydesk.core.system.paths import fingerprint

if TYPE_CHECKING:
    from jurydesk.core.competition.task import AnyTask
    from jurydesk.core.execution.run import Run

TABLE = "table"
"""Competition of a desk that is made for ratings alone."""


@dataclass(frozen=True, slots=True)
class RatingsImport:
    """Imported ratings, or none after errors, with what was found on the way."""

    ratings: ImportedRatings | None
    defects: tuple[Defect, ...]


def import_ratings(
    desk: Path, table: Path, options: RatingsOptions, run: Run, notify: object = None
) -> RatingsImport:
    """Read a table of ratings into the desk, which is created if there is none.

    Ratings that were imported before are replaced, in one transaction; those of packets are not.
    """
    run.report(0, 0, translate("Reading the ratings"))
    with Desk.open(desk, read_only=True) if desk.exists() else nullcontext() as opened:
        task = _task_of(opened)
        refusal = opened and _refusal(opened)
        known = KnownNames() if opened is None else _known_names(opened, task)
    if refusal:
        return RatingsImport(None, (error(Place(str(table)), refusal),))
    words = task.presentation.rating.wording(task.item_noun)
    sha256 = fingerprint(table, run.check).sha256
    reading = read_imported_ratings(table, sha256, options, known, words)
    run.check()
    if reading.data is None:
        return RatingsImport(None, reading.defects)
    try:
        with Desk.open_or_create(desk)[0] as opened, opened.writing():
            if opened.competition is None:
                opened.set_competition(task.id, task.title, options_json(task.scoring.options()))
            replaced = _store(RatingStore(opened), reading.data)
    except DeskError as refusal:
        return RatingsImport(None, (*reading.defects, error(Place(str(desk)), str(refusal))))
    more = [note(Place(str(table)), fill("The ratings of {file} were replaced.", replaced))]
    alike = look_alike_defects(str(table), [*known.systems, *reading.data.plan.study.pool.systems])
    return RatingsImport(reading.data, (*reading.defects, *alike, *(more if replaced else ())))


def _task_of(desk: Desk | None) -> AnyTask:
    from jurydesk.core.competition.task_registry import registry

    tasks = registry().tasks
    known = desk.competition if desk is not None else None
    return tasks.get(known.task_id if known else TABLE, tasks[TABLE])


def _refusal(desk: Desk) -> str:
    """Return why a desk takes no imported ratings; empty if it does."""
    store = RatingStore(desk)
    study = store.study()
    if study is None or study.imported or not store.answers():
        return ""
    return fill("{name} has answers to its rating plan. Import into another desk.", desk.path.name)


def _known_names(desk: Desk, task: AnyTask) -> KnownNames:
    """Return the systems, items and metrics of a desk."""
    summaries = desk.evaluations()
    items = {id for one in summaries for id in desk.load(one.id).items.ids}
    metrics = {score.metric for one in summaries for score in one.scores}
    metrics |= {info.name for info in task.scoring.metrics}
    systems = tuple(dict.fromkeys(one.system for one in summaries))
    return KnownNames(systems, items, metrics)


def _store(store: RatingStore, imported: ImportedRatings) -> str:
    """Store an import; return the name of the file whose ratings it replaces, or nothing."""
    before = store.study()
    replaced = before.imported.partition(",")[0] if before is not None else ""
    if replaced:
        store.change([], list(store.answers()))
    store.set_plan(imported.plan)
    store.change(imported.answers, [])
    for code, name in imported.names.items():
        store.name_rater(code, name)
    return replaced
