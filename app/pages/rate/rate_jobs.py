"""Jobs of the Rate page; one at a time changes the desk, which is read again after each."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from jurydesk.app.jobs.job import Job
from jurydesk.app.state.workspace import Workspace
from jurydesk.core.desk import DeskError
from jurydesk.core.human_evaluation.answers.answers_file import RaterAnswers
from jurydesk.core.human_evaluation.answers.merge_answers import AnswerMerge
from jurydesk.core.human_evaluation.design.planning import StudyRequest
from jurydesk.core.human_evaluation.design.study_store import PackedPlan, RatingStore
from jurydesk.core.language import translatable, translate, translate_text
from jurydesk.core.tables.numbers import quantity
from jurydesk.core.workflow import ratings
from jurydesk.core.workflow.ratings import PlanOutcome, StudyState, WrittenPackets

if TYPE_CHECKING:
    from jurydesk.core.human_evaluation.imported.ratings_options import RatingsOptions
    from jurydesk.core.workflow.imported_ratings import RatingsImport

FAULTY = translatable(
    "Nothing was planned: files have errors. Correct them, or leave their systems out."
)


class RateJobs(QObject):
    """State of the desk's study, and the jobs that change it."""

    changed = Signal()
    """The desk was read: `study_state` is new."""
    busy_changed = Signal()
    planned = Signal(object)
    """The `PlanOutcome` of a plan."""
    listed = Signal(object)
    """The defects of the last job; empty if there are none."""
    message = Signal(object)
    previewed = Signal(object)
    """The `RatingsPreview` of a dropped table."""

    def __init__(self, workspace: Workspace, parent: QObject) -> None:
        super().__init__(parent)
        self._workspace = workspace
        self.session = workspace.session
        self.study_state = StudyState()
        self.is_read = True
        """False while the plan of a desk that was just opened is being read."""
        self._busy: Job | None = None
        workspace.files.rating_processes.ended.connect(self._rating_ended)
        self.reload()

    @property
    def busy(self) -> bool:
        """True while a job that the user started is running."""
        return self._busy is not None

    def use_desk(self) -> None:
        self.study_state = StudyState()
        self.is_read = not self.session.has_desk
        self.reload()

    def reload(self) -> None:
        """Read the state of the desk's study."""
        self._start(translate("Reading the plan"), self._set_study_state, ratings.study_state)

    def _set_study_state(self, found: StudyState) -> None:
        self.study_state, self.is_read = found, True
        self.session.set_local_raters(found.local)
        self.changed.emit()

    def plan(self, request: StudyRequest) -> None:
        """Make a plan; `planned` carries the outcome."""
        self._start(
            translate("Planning"),
            self._report_plan,
            ratings.plan_ratings,
            self.session.task,
            request,
        )

    def _report_plan(self, outcome: PlanOutcome) -> None:
        self.listed.emit(outcome.defects if outcome.study is None else ())
        self.planned.emit(outcome)
        if outcome.study is None:
            return
        said = translate("The plan is made. Make the packets and hand them out.")
        before = outcome.before
        if before is None:
            self.message.emit(said)
            self.reload()
            return
        after = PackedPlan(outcome.study, {})
        text = translate("another rating plan")
        self._workspace.evaluator.change(
            text, said, partial(self._set_plan, after), partial(self._set_plan, before)
        )

    def _set_plan(self, plan: PackedPlan) -> None:
        try:
            RatingStore(self.session.desk).set_plan(plan)
        except DeskError as refusal:  # answers came in
            self.message.emit(translate_text(str(refusal)))
        self.reload()

    def write_packets(
        self, folder: Path, *, html: bool, language: str, images: Path | None
    ) -> None:
        """Write all packets into a folder, with the pictures in `images`, or in the plan's."""
        write = partial(ratings.write_packets, images=images)
        self._start(
            translate("Writing packets"), self._report_packets, write, folder, html, language
        )

    def _report_packets(self, written: WrittenPackets) -> None:
        self.listed.emit(written.defects)
        sentence = translate("{files} written.", files=quantity(len(written.paths), "file"))
        if written.missing:
            missing = translate(
                "{pictures} missing: raters see a placeholder.",
                pictures=quantity(written.missing, *written.noun),
            )
            sentence = f"{sentence} {missing}"
        self.message.emit(sentence)
        self.reload()

    def merge(self, paths: Sequence[Path]) -> None:
        """Merge answers files into the desk."""
        if not self.session.has_desk or self.session.read_only:
            self.message.emit(
                translate("Open the desk of the study first: answers are merged into it.")
            )
            return
        self._start(translate("Merging answers"), self._report_merge, ratings.merge_files, paths)

    def _report_merge(self, merged: AnswerMerge | None) -> None:
        if merged is None:
            return
        self.listed.emit(merged.defects)
        files = quantity(merged.taken, "answers file")
        if merged.known:
            self.message.emit(
                translate(
                    "{files} merged, {known} already present.", files=files, known=merged.known
                )
            )
        else:
            self.message.emit(translate("{files} merged.", files=files))
        self._answers_changed()

    def preview(self, path: Path) -> None:
        """Read the beginning of another program's ratings; `previewed` carries what was found."""
        from jurydesk.core.human_evaluation.imported.ratings_preview import preview_ratings

        job = Job(translate("Reading the ratings"), partial(preview_ratings, path))
        job.succeeded.connect(self.previewed.emit)
        self._workspace.jobs.start(job)

    def import_table(self, path: Path, options: RatingsOptions) -> None:
        """Read ratings of another program into the desk."""
        from jurydesk.core.workflow.imported_ratings import import_ratings

        self._start(
            translate("Reading the ratings"), self._report_import, import_ratings, path, options
        )

    def _report_import(self, done: RatingsImport) -> None:
        self.listed.emit(done.defects)
        if done.ratings is not None:
            count = quantity(done.ratings.ratings, "rating")
            self.message.emit(translate("{ratings} imported.", ratings=count))
            self._answers_changed()

    def rate_now(self, rater: str, images: Path | None = None) -> None:
        """Open a rater's packet on this computer; its answers are merged at the end."""
        self._start(
            translate("Opening the rating page"),
            self._open_packet,
            ratings.write_local_packet,
            rater,
            images,
        )

    def _open_packet(self, packet: Path) -> None:
        self._workspace.files.rating_processes.open(packet)
        self.reload()

    def _rating_ended(self, packet: Path) -> None:
        if self.study_state.study is not None and not self.session.read_only:
            self._start(
                translate("Merging answers"),
                self._report_merge,
                ratings.merge_local,
                packet,
            )

    def forget(self, rater: str) -> None:
        """Remove a rater's answers from the desk; this can be undone."""
        if rater not in self.study_state.answered:
            self.message.emit(translate("{rater} has no answers in this desk.", rater=rater))
            return
        self.listed.emit(())
        store, shown = RatingStore(self.session.desk), self.study_state.label(rater)
        taken = [one for one in store.histories() if one.rater == rater]
        self._workspace.evaluator.change(
            translate("removing the answers of {rater}", rater=shown),
            translate("The answers of {rater} were removed.", rater=shown),
            partial(self._change_answers, [], [one.sha256 for one in taken]),
            partial(self._change_answers, taken, []),
        )

    def _change_answers(self, added: Sequence[RaterAnswers], removed: list[str]) -> None:
        RatingStore(self.session.desk).change(added, removed)
        self._answers_changed()

    def name_rater(self, rater: str, name: str) -> None:
        """Give a rater a name, which stays in the desk; this can be undone. Raises DeskError."""
        before = self.study_state.names.get(rater, "")
        self._workspace.evaluator.change(
            translate("naming {rater}", rater=rater),
            translate(
                "{rater} is named {name}. Packets have the code only.", rater=rater, name=name
            ),
            partial(self._store_name, rater, name),
            partial(self._store_name, rater, before),
        )

    def _store_name(self, rater: str, name: str) -> None:
        RatingStore(self.session.desk).name_rater(rater, name)
        self.reload()

    def _answers_changed(self) -> None:
        self._workspace.findings.update()
        self.reload()

    def _start(
        self, title: str, done: Callable[..., None], work: Callable[..., object], *given: object
    ) -> None:
        """Start a job on the open desk, if there is one; `done` receives its result."""
        if not self.session.has_desk:
            return
        quiet = done == self._set_study_state
        job = Job(title, partial(work, self.session.desk.path, *given), quiet=quiet)
        job.succeeded.connect(done)
        if not quiet:
            self._busy = job
            job.ended.connect(self._forget_job)
        self._workspace.jobs.start(job)
        self.busy_changed.emit()

    def _forget_job(self, job: Job) -> None:
        if job is self._busy:
            self._busy = None
        self.busy_changed.emit()
