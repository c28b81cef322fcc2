"""The form of a rating plan: whose stories, how many people, on which questions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtWidgets import (
    QBoxLayout,
    QCheckBox,
    QComboBox,
    QFileDialog,
    QFormLayout,
    QLineEdit,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from app.format import count, counted
from app.theme import px
from app.tips import tip
from app.widgets.flow import Flow
from app.widgets.parts import Card, across, button, empty, label, number_box
from core.defects import Defect, Severity
from core.rating.plan import Infeasible, Request, require_feasible
from core.rating.planning import Order
from core.run.names import stem, system_names
from core.workflow.files import InputFile, paths_by_role

BUILTIN = "VIST Challenge 2018: six statements"
ANOTHER = "Choose a file …"
FAULTY = "Its file has errors: Check says which."
PATH = "path"
NARROW = 620
"""Below this width the numbers stand under the systems."""
UNKNOWN = 1_000_000
"""Sequences, as long as nobody has read the files: more than any competition has."""

NUMBERS: Mapping[str, tuple[str, int, int, int, str]] = {
    "sequences": (
        "Photo sequences",
        1,
        100_000,
        20,
        "How many are drawn to be rated.",
    ),
    "raters": ("Raters", 1, 10_000, 6, "How many people rate."),
    "ratings": ("Ratings of each story", 1, 1000, 3, "How many people rate each story."),
    "practice": ("Practice items", 0, 100, 0, "Come first and do not count."),
    "attention": ("Items with a known answer", 0, 100, 0, "Show who reads what is rated."),
    "repeated": ("Shown twice, in percent", 0, 100, 0, "The share of items that come again."),
}
"""Title, least, most, first value and help of each number."""


class PlanForm(Card):
    """What a plan is made of; `wanted` asks for it, `kept` goes back to the plan there is."""

    wanted = Signal()
    kept = Signal()

    def __init__(self) -> None:
        super().__init__("Plan who rates what", spacing=10)
        self.systems: list[QCheckBox] = []
        self._ticks = QVBoxLayout()
        self._ticks.setContentsMargins(0, 0, 0, 0)
        self._ticks.setSpacing(px(6))
        self.human = QCheckBox("Human stories as one system more")
        self.photos = label("", "small", wrap=True)
        self.numbers = {name: _spin(name) for name in NUMBERS}
        self.seed = QLineEdit()
        self.seed.setAccessibleName("Seed")
        self.seed.setPlaceholderText("drawn")
        self.seed.setToolTip("The same seed and files give the same plan again.")
        self.questions = QComboBox()
        self.questions.setAccessibleName("Questionnaire")
        self.questions.setMinimumWidth(px(140))
        self.questions.addItem(BUILTIN, None)
        self.questions.addItem(ANOTHER, ANOTHER)
        self.sum = label("", "muted", wrap=True)
        self.problem = label("", "bad", wrap=True)
        self.make = button("Make the plan", self.wanted.emit, "primary", "Make the plan  (Ctrl+B)")
        self.use_nearest = button("Take these numbers", self.take_nearest)
        self.keep = button("Keep the plan there is", self.kept.emit)
        self._nearest: Request | None = None
        self._faulty: frozenset[str] = frozenset()
        self._images: Path | None = None
        self._references: tuple[Path, ...] = ()
        self._names: Mapping[Path, str] = {}
        self._lay_out()
        self._connect()

    def _lay_out(self) -> None:
        left = QVBoxLayout()
        left.setSpacing(px(8))
        left.addWidget(label("Stories of", "small"))
        left.addLayout(self._ticks)
        left.addWidget(self.human)
        left.addWidget(label("Questionnaire", "small"))
        left.addWidget(self.questions)
        left.addWidget(self.photos)
        left.addStretch(1)
        right = QFormLayout()
        right.setVerticalSpacing(px(8))
        right.setHorizontalSpacing(px(16))
        for name, spin in self.numbers.items():
            right.addRow(_titled(NUMBERS[name][0], spin), spin)
        right.addRow(_titled("Seed", self.seed), self.seed)
        self.columns = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self.columns.setSpacing(px(32))
        self.columns.addLayout(left, 3)
        self.columns.addLayout(right, 2)
        self.body.addLayout(self.columns)
        self.body.addWidget(self.sum)
        self.body.addWidget(self.problem)
        self.body.addLayout(Flow(self.make, self.use_nearest, self.keep))
        self.use_nearest.hide()
        self.keep.hide()

    def _connect(self) -> None:
        for spin in self.numbers.values():
            spin.valueChanged.connect(self.reckon)
        self.human.toggled.connect(self.reckon)
        self.questions.activated.connect(self._choose_questions)

    def arrange(self, width: int) -> None:
        """Stand in two columns on a page of this width, or in one."""
        across(self.columns, width >= px(NARROW))

    # What is offered

    def offer(
        self, files: Sequence[InputFile], sequences: int, defects: Sequence[Defect] = ()
    ) -> None:
        """Offer the competition's systems; `sequences` is how many it has, 0 where unknown.

        Those whose files have errors are offered, but left out until somebody ticks them.
        """
        inputs = paths_by_role(files)
        self._names = names = {file.path: file.system for file in files if file.system}
        given = inputs.get("submission", ())
        called = system_names([(path, names.get(path) or stem(path)) for path in given])
        offered = dict(zip(map(str, given), called, strict=True))
        if {tick.property(PATH): tick.text() for tick in self.systems} != _escaped(offered):
            self._offer_systems(offered)
            self._faulty = frozenset()
        self._leave_out({one.place.path for one in defects if one.severity is Severity.ERROR})
        if sequences and self.numbers["sequences"].value() > sequences:
            self.numbers["sequences"].setValue(sequences)
        self._references = tuple(inputs.get("references", ()))
        self.human.setEnabled(bool(self._references))
        self._images = next(iter(inputs.get("images", ())), None)
        self.photos.setText(
            f"Photos from {self._images}"
            if self._images
            else "No folder of photos is open: raters would see placeholders. Drop one on the "
            "window first."
        )
        self.reckon()

    def _offer_systems(self, offered: Mapping[str, str]) -> None:
        left = {tick.property(PATH) for tick in self.systems if not tick.isChecked()}
        empty(self._ticks)
        self.systems = [QCheckBox(name) for name in _escaped(offered).values()]
        for tick, path in zip(self.systems, offered, strict=True):
            tick.setProperty(PATH, path)
            tick.setChecked(path not in left)
            tick.toggled.connect(self.reckon)
            self._ticks.addWidget(tick)

    def _leave_out(self, paths: Set[str]) -> None:
        """Leave out the systems of files that turned out to have errors, and take others in."""
        for tick in self.systems:
            path = tick.property(PATH)
            tick.setToolTip(tip(path, FAULTY if path in paths else ""))
            if (path in paths) != (path in self._faulty):
                tick.setChecked(path not in paths)
        self._faulty = frozenset(paths)

    def begin(self) -> None:
        """Put the keyboard where the form begins."""
        first: QWidget = next(iter(self.systems), self.human)
        first.setFocus()

    def offer_back(self, possible: bool) -> None:
        """Offer to keep the plan that there is already."""
        self.keep.setVisible(possible)

    def order(self) -> Order:
        """What the form asks for; the seed is drawn where it is no number."""
        chosen = [Path(tick.property(PATH)) for tick in self.systems if tick.isChecked()]
        numbers = {name: spin.value() for name, spin in self.numbers.items()}
        seed = self.seed.text().strip()
        return Order(
            submissions=tuple(chosen),
            references=self._references,
            human=self.human.isEnabled() and self.human.isChecked(),
            images=self._images,
            questionnaire=self.questions.currentData(),
            sequences=numbers["sequences"],
            raters=numbers["raters"],
            ratings=numbers["ratings"],
            practice=numbers["practice"],
            attention=numbers["attention"],
            repeated=numbers["repeated"] / 100,
            seed=int(seed) if seed.isdecimal() else None,
            names=self._names,
        )

    # What comes of it

    def reckon(self) -> None:
        """Say how much work the numbers are, or that they contradict each other."""
        self.refuse("", None)
        order = self.order()
        systems = len(order.submissions) + order.human
        if not systems:
            self.sum.setText("Choose at least one system.")
            self.make.setEnabled(False)
            return
        self.make.setEnabled(True)
        stories = systems * order.sequences
        each = stories * order.ratings / order.raters
        self.sum.setText(
            f"{counted(systems, 'system')} × {counted(order.sequences, 'sequence')} = "
            f"{counted(stories, 'story', 'stories')}; with {counted(order.ratings, 'rating')} of "
            f"each, about {count(round(each))} for each of {counted(order.raters, 'rater')}."
        )
        request = Request(
            systems, order.sequences, order.raters, order.ratings, UNKNOWN,
            practice=order.practice, attention=order.attention, repeated=order.repeated,
        )  # fmt: skip
        if order.questionnaire is None:
            try:
                require_feasible(request)
            except Infeasible as refusal:
                self.refuse(str(refusal), refusal.nearest)

    def refuse(self, problem: str, nearest: Request | None) -> None:
        """Say why there is no such plan, and offer the nearest one."""
        self.problem.setText(problem)
        self.problem.setVisible(bool(problem))
        self._nearest = nearest
        self.use_nearest.setVisible(nearest is not None)

    def take_nearest(self) -> None:
        """Fill in the nearest numbers that are possible."""
        nearest = self._nearest
        if nearest is not None:
            for name, spin in self.numbers.items():
                value = getattr(nearest, name)
                spin.setValue(round(100 * value) if name == "repeated" else value)
            self.make.setFocus()

    def _choose_questions(self) -> None:
        if self.questions.currentData() == ANOTHER:
            name, _ = QFileDialog.getOpenFileName(
                self, "Questionnaire", "", "Questionnaires (*.json)"
            )
            if name:
                path = Path(name)
                self.questions.insertItem(1, path.name, path)
            self.questions.setCurrentIndex(1 if name else 0)
        self.reckon()


def _spin(name: str) -> QSpinBox:
    title, least, most, first, help = NUMBERS[name]
    spin = number_box(title, least, most, first)
    spin.setToolTip(help)
    return spin


def _escaped(names: Mapping[str, str]) -> dict[str, str]:
    """The names as Qt shows them: a single & would underline the next letter."""
    return {path: name.replace("&", "&&") for path, name in names.items()}


def _titled(title: str, widget: QWidget) -> QWidget:
    made = label(title)
    made.setBuddy(widget)
    return made
