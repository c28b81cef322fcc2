"""Form of a rating plan: systems, numbers of items and raters, questionnaire."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import (
    QBoxLayout,
    QCheckBox,
    QFileDialog,
    QFormLayout,
    QLabel,
    QLineEdit,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from jurydesk.app.style.distinct_names import fit_names, shorten_names
from jurydesk.app.style.theme import font, px
from jurydesk.app.style.visible_text import elide, tip
from jurydesk.app.widgets.flow_layout import FlowLayout
from jurydesk.app.widgets.name_box import NameBox
from jurydesk.app.widgets.parts import (
    Card,
    across,
    button,
    clear_layout,
    label,
    number_box,
    set_spacing,
)
from jurydesk.core.competition.rating_design import STORIES, Wording
from jurydesk.core.competition.task import AnyTask
from jurydesk.core.human_evaluation.design.balanced_plan import (
    InfeasiblePlan,
    PlanRequest,
    require_feasible,
)
from jurydesk.core.human_evaluation.design.planning import StudyRequest
from jurydesk.core.human_evaluation.design.questionnaire import (
    questionnaire_path,
    read_questionnaire,
)
from jurydesk.core.language import translatable, translate, translate_text
from jurydesk.core.model.defects import Defect, Severity
from jurydesk.core.tables.numbers import count, quantity

ANOTHER = translatable("Choose a file …")
FAULTY = translatable("Its file has errors: see the page Check.")
NO_PICTURES = translatable(
    "No folder of {pictures} is open: drop one onto the window first. Without it "
    "raters see placeholders, and {entries} that are {pictures} are left out."
)
WIDEST_NAME = 360
INDICATOR = 34
"""Unscaled width of a check box before its text, with the frame around both."""
MANY_SYSTEMS = 6
"""Above this number of systems, what follows them in the form would be out of sight."""
PATH = "path"
PADDING = 20
UNKNOWN = 1_000_000
"""Number of items while the files are unread: more than any competition has."""

NUMBERS: Mapping[str, tuple[str, int, int, int, str]] = {
    "sequences": (translatable("Items"), 1, 100_000, 20,
                  translatable("Number of items drawn for rating.")),
    "raters": (translatable("Raters"), 1, 10_000, 6, translatable("Number of people who rate.")),
    "ratings": (translatable("Ratings of each entry"), 1, 1000, 3,
                translatable("Number of people who rate the same entry.")),
    "practice": (translatable("Practice items"), 0, 100, 0,
                 translatable("They come first and are not counted.")),
    "attention": (translatable("Items with a known answer"), 0, 100, 0,
                  translatable("They show whether a rater reads carefully.")),
    "repeated": (translatable("Shown twice, in percent"), 0, 100, 0,
                 translatable("Share of items that are shown again.")),
}  # fmt: skip
"""Title, minimum, maximum, default and help of each number."""


@dataclass(frozen=True, slots=True)
class RatableSystems:
    """Systems that can be rated: names by file path, or by themselves without files.

    `names` holds the board's names by file; None if the desk's systems are rated.
    """

    systems: Mapping[str, str]
    names: Mapping[Path, str] | None

    def __bool__(self) -> bool:
        return bool(self.systems)


class PlanForm(Card):
    """Form of a plan; `plan_requested` asks to make it, `kept` to return to the existing plan."""

    plan_requested = Signal()
    keep_requested = Signal()

    def __init__(self) -> None:
        super().__init__(translate("Plan who rates what"), spacing=10)
        self.folder: Callable[[], Path] = Path.home
        """Function that returns the folder in which files are chosen."""
        self.systems: list[QCheckBox] = []
        self._ticks = QVBoxLayout()
        set_spacing(self._ticks, 6)
        self.human = QCheckBox()
        self.photos = label("", "small", wrap=True)
        self.numbers = {name: _make_number_box(name) for name in NUMBERS}
        self.seed = QLineEdit()
        self.seed.setAccessibleName(translate("Seed"))
        self.seed.setPlaceholderText(translate("drawn"))
        self.seed.setToolTip(translate("The same seed and files give the same plan again."))
        self.questions = NameBox(translate("Questionnaire"))
        self.questions.addItem("", None)
        self.questions.addItem(translate(ANOTHER), ANOTHER)
        self.summary = label("", "muted", wrap=True)
        self.problem = label("", "bad", wrap=True)
        self.make = button(
            translate("Make the plan"),
            self.plan_requested.emit,
            "primary",
            translate("Make the plan  (Ctrl+B)"),
        )
        self.use_nearest = button(translate("Use these numbers"), self.take_nearest)
        self.keep = button(translate("Keep the existing plan"), self.keep_requested.emit)
        self._nearest: PlanRequest | None = None
        self._faulty: frozenset[str] = frozenset()
        self._images: Path | None = None
        self._references: tuple[Path, ...] = ()
        self._offered = RatableSystems({}, None)
        self._wording = STORIES
        self.entries_title = label("", "small")
        self._titles: dict[str, QLabel] = {}
        self._left, self._right = QVBoxLayout(), QVBoxLayout()
        self._rows = QFormLayout()
        """The numbers and the seed, each with its title."""
        self._end = QWidget()
        """What the form means, and its buttons."""
        self._human_title = ""
        self._ordered: tuple[QWidget, ...] = ()
        self._room = 0
        self._lay_out()
        self._connect()

    def _lay_out(self) -> None:
        left = self._left
        set_spacing(left, 8)
        left.addWidget(self.entries_title)
        left.addLayout(self._ticks)
        left.addWidget(self.human)
        left.addWidget(label(translate("Questionnaire"), "small"))
        left.addWidget(self.questions)
        left.addWidget(self.photos)
        left.addStretch(1)
        for name, spin in self.numbers.items():
            self._titles[name] = _make_title(translate(NUMBERS[name][0]), spin)
            self._rows.addRow(self._titles[name], spin)
        self._rows.addRow(_make_title(translate("Seed"), self.seed), self.seed)
        self._right.addLayout(self._rows)
        self._right.addStretch(1)
        self.columns = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        set_spacing(self.columns, 32)
        self.columns.addLayout(left, 3)
        self.columns.addLayout(self._right, 2)
        self.body.addLayout(self.columns)
        end = QVBoxLayout(self._end)
        set_spacing(end, 10, (0, 8, 0, 0))
        end.addWidget(self.summary)
        end.addWidget(self.problem)
        end.addLayout(FlowLayout(self.make, self.use_nearest, self.keep))
        self.body.addWidget(self._end)
        self.use_nearest.hide()
        self.keep.hide()

    def _connect(self) -> None:
        for spin in self.numbers.values():
            spin.valueChanged.connect(self.update_summary)
        self.human.toggled.connect(self.update_summary)
        self.questions.activated.connect(self._choose_questions)

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.LayoutRequest:
            self._arrange()
        return super().event(event)

    def arrange(self, width: int) -> None:
        """Use two columns on a page of this width, or one."""
        self._room = width - 2 * px(PADDING)
        self._arrange()

    def _arrange(self) -> None:
        """Place all titles beside their numbers, or all above them if there is no room.

        What the form means and its buttons follow the shorter column. In one column many systems
        come last.
        """
        self._rows.setVerticalSpacing(px(8))
        self._rows.setHorizontalSpacing(px(16))
        room = self._room - px(INDICATOR)
        self.human.setText(break_lines(self._human_title, self.human.fontMetrics(), room))
        left, right = self._left.minimumSize().width(), self._width_beside()
        wide = left + self.columns.spacing() + right <= self._room
        across(self.columns, wide)
        column, below = (self._left, 1) if wide else (self.body, 0)
        if len(self.systems) > MANY_SYSTEMS:
            column, below = self._right, 1
            if not wide:
                self.columns.setDirection(QBoxLayout.Direction.BottomToTop)
        if column.indexOf(self._end) < 0:
            column.insertWidget(column.count() - below, self._end)
        self._set_tab_order()
        policy = QFormLayout.RowWrapPolicy
        has_room = right <= self._room
        self._rows.setRowWrapPolicy(policy.DontWrapRows if has_room else policy.WrapAllRows)

    def _controls(self) -> tuple[QWidget, ...]:
        """Return what takes the keyboard focus, in the order in which it is placed."""
        systems = (*self.systems, self.human, self.questions)
        numbers = (*self.numbers.values(), self.seed)
        buttons = (self.make, self.use_nearest, self.keep)
        if self.columns.direction() == QBoxLayout.Direction.BottomToTop:
            return (*numbers, *buttons, *systems)
        return (*systems, *numbers, *buttons)

    def _set_tab_order(self) -> None:
        controls = self._controls()
        if controls != self._ordered:
            self._ordered = controls
            for one, following in pairwise(controls):
                self.setTabOrder(one, following)

    def _width_beside(self) -> int:
        """Return the width that the titles and the numbers need side by side."""
        fields = (*self.numbers.values(), self.seed)
        titles = [self._rows.labelForField(field) for field in fields]
        widths = (max(one.minimumSizeHint().width() for one in part) for part in (titles, fields))
        return sum(widths) + self._rows.horizontalSpacing()

    def offer(
        self,
        task: AnyTask,
        systems: RatableSystems,
        inputs: Mapping[str, Sequence[Path]],
        sequences: int,
        defects: Sequence[Defect] = (),
    ) -> None:
        """Offer the competition's systems; `sequences` is its number of items, 0 if unknown.

        Systems whose files have errors are offered, but not ticked.
        """
        design = task.presentation.rating
        self._offered, offered = systems, systems.systems
        self._show_words(design.wording(task.item_noun))
        questionnaire = read_questionnaire(questionnaire_path(design.questionnaire)).data
        if questionnaire is not None:
            statements = quantity(len(questionnaire.questions), "statement")
            self.questions.setItemText(0, f"{translate_text(questionnaire.title)}: {statements}")
        if {tick.property(PATH): tick.accessibleName() for tick in self.systems} != offered:
            self._offer_systems(offered)
            self._faulty = frozenset()
        self._leave_out({one.place.path for one in defects if one.severity is Severity.ERROR})
        if sequences and self.numbers["sequences"].value() > sequences:
            self.numbers["sequences"].setValue(sequences)
        self._references = tuple(inputs.get("references", ())) if systems.names is not None else ()
        self.human.setVisible(design.has_human_entries)
        by_files = systems.names is not None
        self.human.setEnabled(design.has_human_entries and (bool(self._references) or not by_files))
        folders = [entry.role for entry in task.inputs if entry.kind == "folder"]
        self._images = next((path for role in folders for path in inputs.get(role, ())), None)
        pictures, entries = translate(self._wording.picture[1]), translate(self._wording.entry[1])
        if self._images:
            photos = translate(
                "{pictures} from {folder}", pictures=pictures.capitalize(), folder=self._images
            )
        else:
            photos = translate(NO_PICTURES, pictures=pictures, entries=entries)
        self.photos.setText(photos)
        self.photos.setToolTip(tip(str(self._images or "")))
        self.photos.setVisible(bool(folders))
        self.update_summary()

    def reset_items(self) -> None:
        """Set the usual number of items; a competition with fewer items reduces it."""
        self.numbers["sequences"].setValue(NUMBERS["sequences"][3])

    def _show_words(self, words: Wording) -> None:
        self._wording = words
        items, entry, entries = map(translate, (words.item[1], *words.entry))
        self.entries_title.setText(translate("{entries} of", entries=entries.capitalize()))
        self._human_title = translate("Include the human {entries} as a system", entries=entries)
        self.human.setText(self._human_title)
        self.human.setAccessibleName(self._human_title)
        titles = {
            "sequences": items.capitalize(),
            "ratings": translate("Ratings of each {entry}", entry=entry),
        }
        for name, title in titles.items():
            self._titles[name].setText(title)
            self.numbers[name].setAccessibleName(title)

    def _offer_systems(self, offered: Mapping[str, str]) -> None:
        left = {tick.property(PATH) for tick in self.systems if not tick.isChecked()}
        clear_layout(self._ticks)
        short, width = shorten_names(offered.values()), px(WIDEST_NAME)
        shown = fit_names(short.values(), QFontMetrics(font()).horizontalAdvance, width)
        self.systems = [
            QCheckBox(_escape_name(shown[short[name]], width + 1)) for name in offered.values()
        ]
        for tick, (path, name) in zip(self.systems, offered.items(), strict=True):
            tick.setAccessibleName(name)
            tick.setProperty(PATH, path)
            tick.setChecked(path not in left)
            tick.toggled.connect(self.update_summary)
            self._ticks.addWidget(tick)
        self._arrange()

    def _leave_out(self, paths: Set[str]) -> None:
        """Untick the systems of files with new errors, and tick those without errors again."""
        for tick in self.systems:
            path = tick.property(PATH)
            faulty = translate(FAULTY) if path in paths else ""
            tick.setToolTip(tip(tick.accessibleName(), path, faulty))
            if (path in paths) != (path in self._faulty):
                tick.setChecked(path not in paths)
        self._faulty = frozenset(paths)

    def focus_first(self) -> None:
        self._controls()[0].setFocus()

    def offer_back(self, possible: bool) -> None:
        """Show or hide the button that keeps the existing plan."""
        self.keep.setVisible(possible)

    def request(self) -> StudyRequest:
        """Return the request of the form; without a number as seed, it is drawn."""
        chosen = [tick.property(PATH) for tick in self.systems if tick.isChecked()]
        by_file = self._offered.names is not None
        numbers: dict[str, Any] = {name: spin.value() for name, spin in self.numbers.items()}
        seed = self.seed.text().strip()
        return StudyRequest(
            submissions=tuple(map(Path, chosen)) if by_file else (),
            systems=() if by_file else tuple(chosen),
            references=self._references,
            human=self.human.isEnabled() and self.human.isChecked(),
            images=self._images,
            questionnaire=self.questions.currentData(),
            repeated=numbers.pop("repeated") / 100,
            **numbers,
            seed=int(seed) if seed.isdecimal() else None,
            names=self._offered.names or {},
        )

    def update_summary(self) -> None:
        """Show the work that the numbers mean, or their contradiction."""
        self.refuse("")
        order = self.request()
        systems = len(order.submissions) + len(order.systems) + order.human
        if not order.submissions and not order.systems:
            self.summary.setText(translate("Choose at least one system."))
            self.make.setEnabled(False)
            return
        self.make.setEnabled(True)
        stories = systems * order.sequences
        each = stories * order.ratings / order.raters
        self.summary.setText(
            translate(
                "{systems} × {items} = {entries}; with {ratings} of each, about {each} for each "
                "of {raters}.",
                systems=quantity(systems, "system"),
                items=quantity(order.sequences, *self._wording.item),
                entries=quantity(stories, *self._wording.entry),
                ratings=quantity(order.ratings, "rating"),
                each=count(math.ceil(each)),
                raters=quantity(order.raters, "rater"),
            )
        )
        if order.questionnaire is None:
            try:
                require_feasible(order.plan_request(systems, UNKNOWN), self._wording)
            except InfeasiblePlan as refusal:
                self.refuse(refusal)

    def refuse(self, problem: str | Exception) -> None:
        """Show why the plan is impossible, and offer the nearest possible one."""
        self.problem.setText(translate_text(str(problem)))
        self.problem.setVisible(bool(str(problem)))
        self._nearest = problem.nearest if isinstance(problem, InfeasiblePlan) else None
        self.use_nearest.setVisible(self._nearest is not None)

    def take_nearest(self) -> None:
        """Fill in the nearest possible numbers."""
        nearest = self._nearest
        if nearest is not None:
            for name, spin in self.numbers.items():
                value = getattr(nearest, name)
                spin.setValue(round(100 * value) if name == "repeated" else value)
            self.make.setFocus()

    def _choose_questions(self) -> None:
        if self.questions.currentData() == ANOTHER:
            name, _ = QFileDialog.getOpenFileName(
                *(self, translate("Questionnaire"), str(self.folder())),
                translate("Questionnaires (*.json)"),
            )
            if name:
                path = Path(name)
                self.questions.insertItem(1, path.name, path)
            self.questions.setCurrentIndex(1 if name else 0)
        self.update_summary()


def _make_number_box(name: str) -> QSpinBox:
    title, least, most, first, help = NUMBERS[name]
    spin = number_box(translate(title), least, most, first)
    spin.setToolTip(tip(translate(help)))
    return spin


def _escape_name(name: str, width: int) -> str:
    """Return a name elided to `width` pixels, with & escaped for Qt."""
    shown = elide(QFontMetrics(font()), name, Qt.TextElideMode.ElideRight, width)
    return shown.replace("&", "&&")


def break_lines(text: str, metrics: QFontMetrics, width: int) -> str:
    """Return a text with line breaks between words, so that it fits a width in pixels.

    A check box does not wrap its text.
    """
    lines = [""]
    for word in text.split():
        longer = f"{lines[-1]} {word}".strip()
        if lines[-1] and metrics.horizontalAdvance(longer) > width:
            lines.append(word)
        else:
            lines[-1] = longer
    return "\n".join(lines)


def _make_title(title: str, widget: QWidget) -> QLabel:
    made = label(title)
    made.setBuddy(widget)
    return made
