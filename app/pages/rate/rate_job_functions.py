"""Jobs of the Rate page: functions over core without Qt."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from jurydesk.app.jobs.job import Notify
from jurydesk.core.desk import Desk, DeskError
from jurydesk.core.execution.run import Run
from jurydesk.core.human_evaluation.answers.answers_file import SUFFIX, AnswersFile, answers_bytes
from jurydesk.core.human_evaluation.answers.event_store import AnswersError
from jurydesk.core.human_evaluation.answers.merge_answers import AnswerMerge, merge_answers
from jurydesk.core.human_evaluation.answers.rating_session import local_answers, packet_folder
from jurydesk.core.human_evaluation.design.balanced_plan import InfeasiblePlan, PlanRequest
from jurydesk.core.human_evaluation.design.item_pool import AnyTask
from jurydesk.core.human_evaluation.design.planning import StudyRequest, plan_study
from jurydesk.core.human_evaluation.design.study import RatingStudy
from jurydesk.core.human_evaluation.design.study_store import AnswerHistory, PackedPlan, RatingStore
from jurydesk.core.human_evaluation.packets.packet import SUFFIX as PACKET
from jurydesk.core.human_evaluation.packets.packet_reader import read_packet
from jurydesk.core.human_evaluation.packets.write_packets import WrittenPackets, write_packets
from jurydesk.core.language import current_language, translatable, translate
from jurydesk.core.model.defects import Defect
from jurydesk.core.model.evaluation import UsageError
from jurydesk.core.system.paths import write_atomically

FAULTY = translatable(
    "Nothing was planned: files have errors. Correct them, or leave their systems out."
)


@dataclass(frozen=True, slots=True)
class StudyState:
    """Study of a desk, raters with a packet, and raters with answers."""

    study: RatingStudy | None = None
    packed: frozenset[str] = frozenset()
    answered: frozenset[str] = frozenset()
    names: Mapping[str, str] = field(default_factory=dict)
    """Names of raters by code, as far as given."""
    local: frozenset[str] = frozenset()
    """Raters whose packets were opened on this computer."""

    def label(self, rater: str) -> str:
        """Return the name of a rater with the code, or the code alone."""
        name = self.names.get(rater, "")
        return f"{name} ({rater})" if name else rater


@dataclass(frozen=True, slots=True)
class PlanOutcome:
    """Result of planning: a study, or a problem with the nearest possible request."""

    study: RatingStudy | None = None
    defects: tuple[Defect, ...] = ()
    problem: str = ""
    nearest: PlanRequest | None = None
    before: PackedPlan | None = None
    """The plan that was replaced."""


def study_state(desk: Path, run: Run, notify: Notify) -> StudyState:
    """Read the state of a desk's study."""
    with Desk.open(desk, read_only=True) as opened:
        store = RatingStore(opened)
        packets = store.packets()
        answered = frozenset(packets[packet] for packet in store.answered_packets())
        study, raters = store.study(), frozenset(packets.values())
        local = (one for one in raters if study and local_packet(study, one).is_file())
        return StudyState(study, raters, answered, store.rater_names(), frozenset(local))


def local_packet(study: RatingStudy, rater: str) -> Path:
    """Return where the packet of a rater on this computer is, or would be."""
    return packet_folder(study.photo_name(rater, "")) / f"{rater}{PACKET}"


def plan(desk: Path, task: AnyTask, request: StudyRequest, run: Run, notify: Notify) -> PlanOutcome:
    """Make a plan and store it in the desk."""
    nouns = translate(task.presentation.rating.entry_noun[1])
    run.report(0, 0, translate("Reading the {nouns}", nouns=nouns))
    try:
        with Desk.open(desk, read_only=True) as opened:
            reading = plan_study(request, task, opened, run)
    except InfeasiblePlan as refusal:
        return PlanOutcome(problem=str(refusal), nearest=refusal.nearest)
    except UsageError as refusal:
        return PlanOutcome(problem=str(refusal))
    if reading.data is None:
        return PlanOutcome(None, reading.defects, FAULTY)
    run.check()
    try:
        with Desk.open(desk) as opened:
            store = RatingStore(opened)
            before = None if store.study() is None else store.plan()
            store.set_study(reading.data)
    except DeskError as refusal:
        return PlanOutcome(None, reading.defects, str(refusal))
    return PlanOutcome(reading.data, reading.defects, before=before)


def write_all_packets(
    desk: Path, folder: Path, html: bool, language: str, run: Run, notify: Notify
) -> WrittenPackets:
    """Write a packet for every rater, in a language."""

    def report(done: int, total: int) -> None:
        run.report(done, total, translate("Writing packets"))

    folder.mkdir(parents=True, exist_ok=True)
    with Desk.open(desk) as opened:
        return write_packets(opened, folder, html=html, language=language, report=report)


def write_one_packet(desk: Path, rater: str, run: Run, notify: Notify) -> Path:
    """Write one rater's packet for rating on this computer, in the language it had before."""
    run.report(0, 0, translate("Writing the packet of {rater}", rater=rater))
    with Desk.open(desk) as opened:
        store = RatingStore(opened)
        path = local_packet(store.required_study(), rater)
        before = read_packet(path).data
        language = before.language if before else current_language()
        path.parent.mkdir(parents=True, exist_ok=True)
        return write_packets(opened, path.parent, codes=(rater,), language=language).paths[0]


def merge_files(desk: Path, paths: Sequence[Path], run: Run, notify: Notify) -> AnswerMerge:
    """Merge answers files into the desk."""
    run.report(0, 0, translate("Merging answers"))
    with Desk.open(desk) as opened:
        return merge_answers(RatingStore(opened), paths)


def merge_local(desk: Path, packet: Path, run: Run, notify: Notify) -> AnswerMerge | None:
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


def load_answers(desk: Desk, raters: Sequence[str]) -> list[AnswersFile]:
    """Return all answers of these raters in a desk, in a form that can be merged again."""
    store = RatingStore(desk)
    packets = store.packets()
    histories: list[tuple[str, AnswerHistory]] = [
        (packets[one.packet], one) for one in store.histories()
    ]
    return [
        AnswersFile(one.packet, rater, one.events, one.sha256)
        for rater, one in histories
        if rater in raters
    ]
