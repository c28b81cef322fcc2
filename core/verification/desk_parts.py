"""Parts of a desk beside its results: what neither a stamp nor a file at hand gives."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from jurydesk.core.competition.examples import example_folder, example_title
from jurydesk.core.desk import Desk, Summary
from jurydesk.core.desk.entry_ledger import read_ledger
from jurydesk.core.desk.given_names import given_names
from jurydesk.core.desk.hidden_scores import visibility_events
from jurydesk.core.desk.inference_settings import load_inference
from jurydesk.core.desk.tables.errata_table import read_errata
from jurydesk.core.execution.groups_file import OWN_ROLE, read_groups
from jurydesk.core.execution.stamped_files import locate_input
from jurydesk.core.human_evaluation.design.study_store import RatingStore
from jurydesk.core.language import fill, translatable
from jurydesk.core.model.evaluation import Source
from jurydesk.core.statistics.inference import Inference
from jurydesk.core.system.paths import fingerprint
from jurydesk.core.verification.recomputation import OF_THE_DESK
from jurydesk.core.verification.verify_stamp import GROUPS

if TYPE_CHECKING:
    from jurydesk.core.competition.task import AnyTask
    from jurydesk.core.execution.run import Run
    from jurydesk.core.model.stamp import Stamp


@dataclass(frozen=True, slots=True)
class StampedDesk:
    """An open desk with its competition, its results, and their stamps by the result's id."""

    desk: Desk
    task: AnyTask
    summaries: Sequence[Summary]
    stamps: Mapping[int, Stamp]
    folders: Sequence[Path]
    run: Run

    def sources(self) -> set[Source]:
        """Return the files and folders of all stamps."""
        return {one for stamp in self.stamps.values() for one in (*stamp.inputs, *stamp.folders)}

    def locate(self, source: Source) -> Path | None:
        """Return where a file with the right content is now; None if it is nowhere."""
        found = locate_input(source, self.folders, self.run)
        return found.path if found.difference is None else None


def parts_without_stamp(opened: StampedDesk) -> Iterator[str]:
    """Yield what a desk shows that neither a stamp nor a file at hand gives."""
    desk = opened.desk
    if RatingStore(desk).answered_packets():
        yield translatable("ratings by people")
    elif RatingStore(desk).study() is not None:
        yield translatable("the plan of ratings")
    if read_errata(desk):
        yield translatable("errata")
    if read_ledger(desk):
        yield translatable("sealed entries")
    if any(one.server for one in opened.summaries):
        yield OF_THE_DESK["server"]
    if any(one.stale for one in opened.summaries):
        yield OF_THE_DESK["stale"]
    if visibility_events(desk):
        yield translatable("when scores were hidden and opened")
    yield from _choices(opened)
    yield from (fill("the file {name}", name) for name in _other_inputs(opened))


def _choices(opened: StampedDesk) -> Iterator[str]:
    """Yield the title, options, statistics and names that are not those of the results."""
    competition = opened.desk.competition
    if competition is not None and competition.title not in _own_titles(opened):
        yield translatable("the title")
    stamps = opened.stamps.values()
    if competition is not None and all(competition.options != one.options for one in stamps):
        yield translatable("the options")
    inference = load_inference(opened.desk)
    of_intervals = {name: inference.policies.get(name) for name in Inference.POLICIES}
    if all(of_intervals != _interval_policies(one.policies) for one in stamps):
        yield translatable("the method of intervals")
    if inference.correction != Inference().correction:  # which no stamp has
        yield translatable("the correction for many comparisons")
    if inference.rank_by and not _can_rank(opened.task, inference.rank_by):
        yield translatable("the metric that ranks")
    known = {(one.submission.path, one.system) for one in stamps}
    known |= {(one.submission.sha256, one.system) for one in stamps}
    if not given_names(opened.desk).items() <= known:
        yield translatable("names for the next scoring")


def _can_rank(task: AnyTask, name: str) -> bool:
    """Return whether a metric is one by which the user of a desk may rank."""
    info = task.scoring.metric_named(name)
    return info is not None and info.better != "neither"


def _interval_policies(policies: Mapping[str, str]) -> dict[str, str | None]:
    return {name: policies.get(name) for name in Inference.POLICIES}


def _own_titles(opened: StampedDesk) -> Collection[str]:
    """Return the titles of the competition, of its reference files, and of the example's desk."""
    task, inputs = opened.task, dict[str, list[Path]]()
    references = {source for one in opened.stamps.values() for source in one.references}
    for source in references:
        if path := opened.locate(source):
            inputs.setdefault(source.role, []).append(path)
    found = {task.title, task.readers.title(inputs)}
    folder = example_folder(task)
    given = {one.sha256 for one in opened.sources() if one.sha256}
    if folder is not None and given:
        own = {fingerprint(path).sha256 for path in folder.rglob("*") if path.is_file()}
        if given <= own:
            found.add(example_title(folder))
    return found


def _other_inputs(opened: StampedDesk) -> Iterator[str]:
    """Yield the inputs, by name, of the desk alone that are not found, and of stamps alone."""
    stamped, recorded = opened.sources(), opened.desk.inputs(opened.run.check)
    listed = {(one.source.role, one.source.sha256) for one in recorded}
    odd = [one for one in stamped if (one.role, one.sha256) not in listed]
    for one in recorded:
        is_folder = not one.source.sha256 and one.state == "current"
        is_known = one.source in stamped or is_folder
        if not is_known and opened.locate(one.source) is None:
            odd.append(one.source)
    yield from sorted({re.split(r"[/\\]", source.path)[-1] for source in odd})


def changed_groups(desk: Desk, folders: Sequence[Path], run: Run) -> Iterator[str]:
    """Yield a sentence if the groups of intervals and tests are not those of their file."""
    inference = load_inference(desk)
    if not inference.labels:
        return
    if inference.source is None:
        yield translatable("the groups of items are of no file.")
        return
    located = locate_input(replace(inference.source, role=GROUPS), folders, run)
    if located.difference is not None:
        yield located.difference.sentence
    elif located.path is None or not _are_groups(inference, located.path):
        yield translatable("the groups of items are not those of their file.")


def _are_groups(inference: Inference, path: Path) -> bool:
    """Return whether the groups of a desk, and what it says of their file, are those of a file."""
    source = inference.source
    given = (OWN_ROLE, path.stat().st_size)
    is_same = source is not None and (source.role, source.size) == given
    return is_same and read_groups(path) == inference.labels
