"""Ratings by people in a desk: plan, packets and answers."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from jurydesk.core.competition.rating_design import STORIES, Noun
from jurydesk.core.desk import Desk, DeskError
from jurydesk.core.desk.tables.rating_tables import AnswersError
from jurydesk.core.human_evaluation.answers.answers_file import SUFFIX, answers_bytes
from jurydesk.core.human_evaluation.answers.merge_answers import (
    AnswerMerge,
    merge_answers,
    remove_answers,
)
from jurydesk.core.human_evaluation.answers.rating_session import local_answers, packets_folder
from jurydesk.core.human_evaluation.design.planning import StudyRequest, plan_study
from jurydesk.core.human_evaluation.design.study import RatingStudy
from jurydesk.core.human_evaluation.design.study_store import PackedPlan, RatingStore
from jurydesk.core.human_evaluation.packets.packet import SUFFIX as PACKET
from jurydesk.core.human_evaluation.packets.packet import packet_content, write_packet
from jurydesk.core.human_evaluation.packets.packet_reader import read_packet
from jurydesk.core.human_evaluation.packets.photos import PhotoFolder, picture_places
from jurydesk.core.human_evaluation.packets.rating_page import rating_page_bytes
from jurydesk.core.language import current_language, fill, translatable, translate
from jurydesk.core.model.defects import Defect, Place, warning
from jurydesk.core.model.evaluation import UsageError
from jurydesk.core.model.options import NOT_OPENED, options_json
from jurydesk.core.system.network_shares import is_strange_share
from jurydesk.core.system.paths import write_atomically

if TYPE_CHECKING:
    from jurydesk.core.competition.task import AnyTask
    from jurydesk.core.execution.run import Run

GIVE_IMAGES = translatable(
    "Give the folder of the pictures: --images FOLDER, or “Pictures are in …” on Rate."
)


@dataclass(frozen=True, slots=True)
class StudyState:
    """Study of a desk, raters with a packet, and raters with answers.

    `names` are those of raters by code, as far as given; the packets of `local` raters were opened
    on this computer. `lost_pictures` is the plan's folder of pictures if it cannot be opened.
    """

    study: RatingStudy | None = None
    packed: frozenset[str] = frozenset()
    answered: frozenset[str] = frozenset()
    names: Mapping[str, str] = field(default_factory=dict)
    local: frozenset[str] = frozenset()
    lost_pictures: str = ""

    def label(self, rater: str) -> str:
        """Return the name of a rater with the code, or the code alone."""
        name = self.names.get(rater, "")
        return f"{name} ({rater})" if name else rater


@dataclass(frozen=True, slots=True)
class PlanOutcome:
    """Result of planning: a study and the plan that it replaced, or why there is none.

    Without a `refusal` files have errors, which are among the defects.
    """

    study: RatingStudy | None = None
    defects: tuple[Defect, ...] = ()
    refusal: UsageError | DeskError | None = None
    before: PackedPlan | None = None


@dataclass(frozen=True, slots=True)
class WrittenPackets:
    """Written files, number of missing pictures, and defects of unreadable ones."""

    paths: tuple[Path, ...]
    missing: int
    defects: tuple[Defect, ...]
    noun: Noun = STORIES.picture


def study_state(desk: Path, run: Run, notify: object = None) -> StudyState:
    """Read the state of a desk's study."""
    with Desk.open(desk, read_only=True) as opened:
        store = RatingStore(opened)
        packets = store.packets()
        answered = frozenset(packets[packet] for packet in store.answered_packets())
        study, raters = store.study(), frozenset(packets.values())
        local = (one for one in raters if study and local_packet(study, one).is_file())
        lost = study.images if study and not _has_pictures(study) else ""
        return StudyState(study, raters, answered, store.rater_names(), frozenset(local), lost)


def _has_pictures(study: RatingStudy) -> bool:
    """Return whether the folder of pictures that a plan names is there and may be opened."""
    return not is_strange_share(study.images) and Path(study.images).is_dir()


def local_packet(study: RatingStudy, rater: str) -> Path:
    """Return where the packet of a rater on this computer is, or would be."""
    return packets_folder() / study.photo_name(rater, "") / f"{rater}{PACKET}"


def unscored_task() -> AnyTask:
    """Return the competition whose files can be rated without scoring."""
    from jurydesk.core.competition.task_registry import registry

    tasks = registry().tasks.values()
    return next(one for one in tasks if one.presentation.rating.read_files is not None)


def plan_ratings(
    desk: Path, task: AnyTask, request: StudyRequest, run: Run, notify: object = None
) -> PlanOutcome:
    """Make a plan and store it in the desk, which is created if there is none."""
    nouns = translate(task.presentation.rating.entry_noun[1])
    run.report(0, 0, translate("Reading the {nouns}", nouns=nouns))
    try:
        with Desk.open(desk, read_only=True) if desk.exists() else nullcontext() as opened:
            reading = plan_study(request, task, opened, run)
    except UsageError as refusal:
        return PlanOutcome(refusal=refusal)
    if reading.data is None:
        return PlanOutcome(None, reading.defects)
    run.check()
    try:
        with Desk.open_or_create(desk)[0] as opened:
            if opened.competition is None:
                opened.set_competition(task.id, task.title, options_json(task.scoring.options()))
            store = RatingStore(opened)
            before = None if store.study() is None else store.plan()
            store.set_study(reading.data)
    except DeskError as refusal:
        return PlanOutcome(None, reading.defects, refusal)
    return PlanOutcome(reading.data, reading.defects, before=before)


def write_packets(
    desk: Path,
    folder: Path,
    html: bool,
    language: str,
    run: Run,
    notify: object = None,
    *,
    codes: Collection[str] | None = None,
    images: Path | None = None,
) -> WrittenPackets:
    """Write a packet for every rater (or those with these codes), and record it in the desk.

    The folder is created if there is none. Pictures are those in `images`, else in the folder that
    the plan names; one on a network share that the user did not choose is not opened. Instructions,
    statements and the page are in `language`; answers do not depend on it. With `html` a page for
    any browser is written beside each packet.
    """
    folder.mkdir(parents=True, exist_ok=True)
    with Desk.open(desk) as opened:
        store = RatingStore(opened)
        study = store.required_study()
        if study.imported:
            raise DeskError(
                fill("The ratings in {name} are imported: there are no packets.", desk.name)
            )
        photos = _photos(study, images, picture_places(opened.inputs()))
        paths: list[Path] = []
        missing: set[str] = set()
        raters = [rater for rater in study.raters if codes is None or rater.code in codes]
        for number, rater in enumerate(raters):
            run.report(number, len(raters), translate("Writing packets"))
            content = packet_content(study, rater, photos, language)
            missing.update(photo.missing for item in content.items for photo in item.all_photos)
            path = folder / f"{rater.code}{PACKET}"
            write_atomically(path, partial(write_packet, content))
            paths.append(path)
            if html:
                page = folder / f"{rater.code}.html"
                write_atomically(page, rating_page_bytes(content))
                paths.append(page)
            store.add_packet(content.sha256, rater.code)
    return WrittenPackets(
        tuple(paths), len(missing - {""}), tuple(photos.defects), study.words.picture
    )


def _photos(study: RatingStudy, images: Path | None, others: Sequence[Path]) -> PhotoFolder:
    """Return the pictures of a study, with a defect if the plan's folder may not be opened."""
    if images is None and is_strange_share(study.images):
        photos = PhotoFolder(None, others)
        found = fill(NOT_OPENED, study.images)
        photos.defects.append(warning(Place(study.images), found, GIVE_IMAGES))
        return photos
    return PhotoFolder(images or (Path(study.images) if study.images else None), others)


def write_local_packet(
    desk: Path, rater: str, images: Path | None, run: Run, notify: object = None
) -> Path:
    """Write one rater's packet for rating on this computer, in the language it had before."""
    run.report(0, 0, translate("Writing the packet of {rater}", rater=rater))
    with Desk.open(desk, read_only=True) as opened:
        path = local_packet(RatingStore(opened).required_study(), rater)
    before = read_packet(path).data
    language = before.language if before else current_language()
    return write_packets(
        desk, path.parent, False, language, run, codes=[rater], images=images
    ).paths[0]


def merge_files(
    desk: Path, paths: Sequence[Path], run: Run, notify: object = None, *, forget: bool = False
) -> AnswerMerge:
    """Merge answers files into the desk, or remove their answers from it."""
    run.report(0, 0, translate("Merging answers"))
    with Desk.open(desk) as opened:
        return (remove_answers if forget else merge_answers)(RatingStore(opened), paths)


def merge_local(desk: Path, packet: Path, run: Run, notify: object = None) -> AnswerMerge | None:
    """Merge the answers given locally to a packet; None if it belongs to another desk."""
    try:
        answers = local_answers(packet)
    except AnswersError:
        return None
    with Desk.open(desk) as opened:
        store = RatingStore(opened)
        if answers is None or answers.packet not in store.packets():
            return None
        path = packet.with_suffix(SUFFIX)
        write_atomically(path, answers_bytes(answers))
        return merge_answers(store, [path])
