"""Models page: weights of neural metrics, where they are expected and what was found."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QFileDialog, QPushButton, QVBoxLayout, QWidget

from jurydesk.app.jobs.job import Job, Notify, Work
from jurydesk.app.jobs.job_functions import run_json_command
from jurydesk.app.jobs.responsiveness.frame_queue import FrameQueue
from jurydesk.app.pages.page import Page
from jurydesk.app.state.workspace import Workspace
from jurydesk.app.style.theme import px
from jurydesk.app.widgets.flow_layout import FlowLayout
from jurydesk.app.widgets.parts import (
    Card,
    WrappedLabel,
    across,
    button,
    hairline,
    label,
    row_layout,
    scroll_area,
    set_spacing,
)
from jurydesk.app.widgets.shown_files import show_folder
from jurydesk.core.language import translatable, translate, translate_text
from jurydesk.core.neural.weights.weight_hashes import known_sha256
from jurydesk.core.neural.weights.weight_loading import convertible_file
from jurydesk.core.neural.weights.weight_origins import ORIGINS, use_text
from jurydesk.core.neural.weights.weight_roles import (
    ROLES,
    WeightRole,
    WeightSearch,
    choose,
    chosen_paths,
    find_weights,
    fingerprints,
    forget,
)
from jurydesk.core.tables.numbers import quantity, size

if TYPE_CHECKING:
    from jurydesk.core.execution.run import Run


@dataclass(frozen=True, slots=True)
class WeightsFound:
    """Search results of every role, and reasons why checked weights cannot be used, by role."""

    searches: tuple[WeightSearch, ...]
    unusable: dict[str, str]


def find_all(run: Run, notify: Notify) -> WeightsFound:
    """Search the weights of every role."""
    return WeightsFound(tuple(find_weights(role.id, {}) for role in ROLES), {})


def hash_one(role: str, run: Run, notify: Notify) -> WeightsFound:
    """Compute and remember the hashes of one role's files."""
    outcome = find_weights(role, {})
    if outcome.found is not None:
        fingerprints(outcome.found, run.check)
    return find_all(run, notify)


def choose_one(role: str, path: Path, run: Run, notify: Notify) -> WeightsFound:
    """Check a file or folder; if it can be used, it is chosen for the role and hashed."""
    reason = unusable_reason(role, run_weights_command("--choose", f"{role}={path}", run=run))
    if reason:
        return WeightsFound(find_all(run, notify).searches, {role: reason})
    return hash_one(role, run, notify)


def check_one(role: str, run: Run, notify: Notify) -> WeightsFound:
    """Load the weights of a role and report why they cannot be used."""
    reason = unusable_reason(role, run_weights_command("--check", role, run=run))
    return WeightsFound(find_all(run, notify).searches, {role: reason})


def forget_one(role: str, run: Run, notify: Notify) -> WeightsFound:
    """Forget the chosen weights of a role and search its folders again."""
    forget(role)
    return find_all(run, notify)


def choose_again(role: str, path: Path, run: Run, notify: Notify) -> WeightsFound:
    """Choose the weights of a role that were chosen and checked before."""
    choose(role, path)
    return find_all(run, notify)


def convert_one(path: Path, target: Path, run: Run, notify: Notify) -> WeightsFound:
    """Write a weights file as safetensors."""
    run_weights_command("--convert", str(path), "--to", str(target), run=run)
    return find_all(run, notify)


def run_weights_command(*arguments: str, run: Run) -> dict[str, Any]:
    """Return the JSON of `jurydesk weights`; raise OSError with its last line if there is none."""
    return run_json_command("weights", *arguments, run=run)


def unusable_reason(role: str, said: dict[str, Any]) -> str:
    """Return why a role's weights cannot be used; empty if they can."""
    rows = (row for row in said["weights"] if row["role"] == role)
    return next((row.get("unusable") or "" for row in rows), "")


HASH_SHOWN = 16
"""Number of digits of a hash shown; its tooltip has all."""
TEXT = 320
"""Width of the texts below which the buttons move under them."""


class ModelRow(QWidget):
    """Weight role: what it serves, what is expected, where the files were found or belong.

    The signals carry the role, the folder to open, or the role with the file to convert and the
    target file.
    """

    choose_requested = Signal(object)
    check_requested = Signal(object)
    forget_requested = Signal(object)
    hash_requested = Signal(object)
    folder_requested = Signal(object)
    conversion_requested = Signal(object, object, object)

    def __init__(self, outcome: WeightSearch, unusable: str) -> None:
        super().__init__()
        self._outcome, self._unusable = outcome, unusable
        self._hashes, self._used = hashes(outcome), use_text(outcome.role.id)
        role, state = outcome.role, self._state()
        title = translate_text(role.title)
        self.setAccessibleName(f"{title}: {state}")
        texts = QVBoxLayout()
        texts.setSpacing(px(2))
        kind = "muted" if outcome.found is None else "good"
        texts.addLayout(row_layout(label(title, "heading"), label(state, kind), None))
        serves = translate("For {serves}.", serves=translate_text(role.serves))
        source = translate("Source: {source}.", source=translate_text(ORIGINS[role.id]))
        expected = translate_text(role.expected)
        texts.addWidget(label(serves, "muted", wrap=True))
        texts.addWidget(
            WrappedLabel(translate("Expected: {expected}.", expected=expected), "small")
        )
        for line in (source, *place_lines(outcome), translate_text(self._used)):
            texts.addWidget(WrappedLabel(line, "small"))
        for name, digest in self._hashes.items():
            texts.addWidget(
                WrappedLabel(f"{name}: SHA-256 {digest[:HASH_SHOWN]}…", "small", digest)
            )
        if unusable:
            texts.addWidget(WrappedLabel(translate_text(unusable), "bad"))
        self.choose = self._button(
            translate("Choose …"),
            self._choose,
            translate("Choose {expected}", expected=expected),
        )
        self._buttons = QWidget()
        self._buttons.setLayout(FlowLayout(*self._action_buttons(), self.choose))
        self._row = QBoxLayout(QBoxLayout.Direction.LeftToRight, self)
        self._row.addLayout(texts, 1)
        self._row.addWidget(self._buttons, 0, Qt.AlignmentFlag.AlignTop)
        set_spacing(self._row, 8, (0, 6, 0, 6))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        across(self._row, wide=self.width() >= self._buttons.sizeHint().width() + px(TEXT))

    def shows(self, outcome: WeightSearch, unusable: str) -> bool:
        """Return whether the row shows this search result already."""
        known = self._outcome, self._unusable, self._hashes, self._used
        return known == (outcome, unusable, hashes(outcome), use_text(outcome.role.id))

    def _state(self) -> str:
        if self._outcome.found is None:
            return translate("missing")
        return translate("chosen" if self._outcome.chosen else "found")

    def _button(self, text: str, slot: Callable[[], None], hint: str) -> QPushButton:
        made = button(text, slot, "small", hint)
        title = translate_text(self._outcome.role.title)
        made.setAccessibleName(f"{text.removesuffix(' …')}: {title}")
        return made

    def _action_buttons(self) -> Iterator[QPushButton]:
        """Yield a button for each action that is possible now."""
        outcome = self._outcome
        if outcome.found is None and not outcome.chosen:
            yield self._button(
                translate("Open folder"), self._open, translate("Create the folder and show it")
            )
        if len(self._hashes) < len(hashable(outcome)):
            yield self._button(
                translate("Compute hash"), self._hash, translate("Compute the SHA-256 of the files")
            )
        if outcome.found is not None:
            if convertible_file(outcome.found.files):
                hint = translate(
                    "Write a safetensors copy, which loads faster; scores do not change"
                )
                yield self._button(translate("Convert"), self._convert, hint)
            yield self._button(
                translate(translatable("Check", "command")),
                self._check,
                translate("Load the weights to test whether they can be used"),
            )
        if outcome.chosen:
            yield self._button(
                translate("Forget"), self._forget, translate("Search the model folders again")
            )

    def _choose(self) -> None:
        self.choose_requested.emit(self._outcome.role)

    def _check(self) -> None:
        self.check_requested.emit(self._outcome.role)

    def _forget(self) -> None:
        self.forget_requested.emit(self._outcome.role)

    def _open(self) -> None:
        self.folder_requested.emit(self._outcome.places[0])

    def _hash(self) -> None:
        self.hash_requested.emit(self._outcome.role)

    def _convert(self) -> None:
        files = self._outcome.found.files if self._outcome.found else ()
        found = convertible_file(files)
        if found is not None:
            self.conversion_requested.emit(self._outcome.role, *found)


def place_lines(outcome: WeightSearch) -> list[str]:
    """Return where the files are, or where they were searched."""
    if outcome.found is not None:
        total = sum(path.stat().st_size for path in hashable(outcome))
        return [f"{outcome.found.path} ({size(total)})" if total else str(outcome.found.path)]
    reason = translate_text(outcome.reason)
    if outcome.chosen:
        return [reason]
    looked = [translate("Looked for in {place}", place=place) for place in outcome.places]
    if any(place.exists() for place in outcome.places):
        return [reason, *looked]
    return looked


def hashable(outcome: WeightSearch) -> Sequence[Path]:
    """Return the files that were found; folders have no hash."""
    files = outcome.found.files if outcome.found else ()
    return [path for path in files if path.is_file()]


def hashes(outcome: WeightSearch) -> dict[str, str]:
    """Return the known hashes of the files, by name."""
    known = {path.name: known_sha256(path) for path in hashable(outcome)}
    return {name: digest for name, digest in known.items() if digest}


class ModelsPage(Page):
    """Row for each weight role; nothing is downloaded, and files are read only on request.

    Rows are built one per frame, and rebuilt only when they change.
    """

    id = "models"
    title = translatable("Models")

    def __init__(self, workspace: Workspace) -> None:
        super().__init__(workspace)
        self.searches: tuple[WeightSearch, ...] = ()
        self.unusable: dict[str, str] = {}
        self.card = Card()
        self.rows: dict[str, ModelRow] = {}
        self.frames = FrameQueue(self)
        self.frames.emptied.connect(self.changed)
        inside = QWidget()
        column = QVBoxLayout(inside)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.card)
        column.addStretch(1)
        self.body.addWidget(scroll_area(inside), 1)
        self.search_again = button(
            translate("Search again"),
            self.search_models,
            "",
            translate("Search for the files again"),
        )
        self.say(translate("Searching for the models of neural metrics."))

    def actions_bar(self) -> QWidget:
        return self.search_again

    def activate(self) -> None:
        self.search_models()

    def search_models(self) -> None:
        """Search the files of every role in a job."""
        self._start(translate("Searching for models"), find_all, quiet=True)

    def _start(self, title: str, work: Work, *, quiet: bool = False) -> None:
        job = Job(title, work, quiet=quiet)
        job.succeeded.connect(self.show_found)
        if not quiet:
            self.say(f"{title} …")
            for end in (job.stopped, job.failed):
                end.connect(self._say_found)
        self.workspace.jobs.start(job)

    def show_found(self, found: WeightsFound) -> None:
        """Show the search results, and why checked weights cannot be used."""
        self.searches = found.searches
        for role, reason in found.unusable.items():
            self.unusable[role] = reason
            if reason:
                self.message.emit(translate("{role}: the weights cannot be used.", role=role))
            else:
                self.message.emit(translate("{role}: the weights can be used.", role=role))
        self._say_found()
        for one in self.searches:
            self.frames.add(one.role.id, partial(self._show_row, one))

    def _say_found(self) -> None:
        present = sum(one.found is not None for one in self.searches)
        total = quantity(len(self.searches), "model")
        self.say(
            translate(
                "{present} of {total} found. Nothing is downloaded: choose a file, or put it "
                "into the folder that its row names.",
                present=present,
                total=total,
            )
        )

    def _show_row(self, outcome: WeightSearch) -> None:
        name = outcome.role.id
        before, unusable = self.rows.get(name), self.unusable.get(name, "")
        if before is not None and before.shows(outcome, unusable):
            return
        row = self.rows[name] = self._row(outcome, unusable)
        if before is None:
            if len(self.rows) > 1:
                self.card.body.addWidget(hairline())
            self.card.body.addWidget(row)
            return
        focused = self.focusWidget()
        has_focus = focused is not None and before.isAncestorOf(focused)
        self.card.body.replaceWidget(before, row)
        before.hide()
        before.deleteLater()
        if has_focus:
            row.choose.setFocus()

    def _row(self, outcome: WeightSearch, unusable: str) -> ModelRow:
        row = ModelRow(outcome, unusable)
        row.choose_requested.connect(self.choose)
        row.check_requested.connect(self.check)
        row.forget_requested.connect(self.forget)
        row.hash_requested.connect(self.compute_hash)
        row.folder_requested.connect(self.open_folder)
        row.conversion_requested.connect(self.convert)
        return row

    # Actions of a row

    def choose(self, role: WeightRole) -> None:
        """Ask for the file or folder of a role; it is checked before it is used."""
        settings = self.workspace.settings
        title, start = (
            translate(
                "Choose {title}: {expected}",
                title=translate_text(role.title),
                expected=translate_text(role.expected),
            ),
            str(settings.folder("weights")),
        )
        if role.single:
            kinds = " ".join(f"*{ending}" for ending in role.endings)
            name, _ = QFileDialog.getOpenFileName(
                self, title, start, f"{translate_text(role.title)} ({kinds})"
            )
        else:
            name = QFileDialog.getExistingDirectory(self, title, start)
        if name:
            path = Path(name)
            settings.keep_folder("weights", path)
            self._choose_path(role, path)

    def _choose_path(self, role: WeightRole, path: Path) -> None:
        """Choose a file or folder that passes its check; undo restores the choice before it."""
        before, title = chosen_paths().get(role.id), translate_text(role.title)
        restored: Work = (
            partial(forget_one, role.id)
            if before is None
            else partial(choose_again, role.id, before)
        )
        self.workspace.evaluator.change(
            translate("the choice for {title}", title=title),
            "",
            partial(
                self._change_choice,
                role,
                translate("Checking {title}", title=title),
                partial(choose_one, role.id, path),
            ),
            partial(self._change_choice, role, translate("Searching for models"), restored),
        )

    def check(self, role: WeightRole) -> None:
        """Load the weights of a role to test whether they can be used."""
        self._change_choice(
            role,
            translate("Checking {title}", title=translate_text(role.title)),
            partial(check_one, role.id),
        )

    def _change_choice(self, role: WeightRole, title: str, work: Work) -> None:
        self.unusable.pop(role.id, None)
        self._start(title, work)

    def forget(self, role: WeightRole) -> None:
        """Forget the chosen weights and search the role's folders; this can be undone."""
        path = chosen_paths().get(role.id)
        if path is None:
            return
        title = translate_text(role.title)
        self.workspace.evaluator.change(
            translate("forgetting the choice for {title}", title=title),
            translate("{title}: the choice was forgotten.", title=title),
            partial(
                self._change_choice,
                role,
                translate("Forgetting {title}", title=title),
                partial(forget_one, role.id),
            ),
            partial(
                self._change_choice,
                role,
                translate("Searching for models"),
                partial(choose_again, role.id, path),
            ),
        )

    def compute_hash(self, role: WeightRole) -> None:
        """Compute the SHA-256 of a model's files."""
        self._start(
            translate("Hashing {title}", title=translate_text(role.title)),
            partial(hash_one, role.id),
        )

    def convert(self, role: WeightRole, path: Path, target: Path) -> None:
        """Write a safetensors copy of a model's file."""
        self._start(
            translate("Converting {title}", title=translate_text(role.title)),
            partial(convert_one, path, target),
        )

    def open_folder(self, place: Path) -> None:
        """Create the folder of a role and show it in the file manager."""
        place.mkdir(parents=True, exist_ok=True)
        show_folder(place)

    def selection_text(self, headers: bool) -> str:
        lines = ["role\tfound\tsha256"] if headers else []
        for one in self.searches:
            path = str(one.found.path) if one.found else ""
            lines.append(f"{one.role.id}\t{path}\t{' '.join(hashes(one).values())}")
        return "\n".join(lines)
