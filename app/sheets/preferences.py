"""Preferences: device, processors, cluster, theme and language."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QComboBox, QFormLayout, QLineEdit, QWidget

from jurydesk.app.sheets.sheet import Sheet
from jurydesk.app.state.evaluator import Evaluator
from jurydesk.app.state.settings import Settings
from jurydesk.app.style.theme import px, theme
from jurydesk.app.widgets.controls import ChoiceBox
from jurydesk.app.widgets.parts import button, label, number_box, placed_widgets, row_layout
from jurydesk.core.execution.run import default_jobs
from jurydesk.core.execution.workers.dask_workers import ADDRESS
from jurydesk.core.language import LANGUAGES, translatable, translate, translate_text

THEMES = {
    "system": translatable("As the system"),
    "light": translatable("Light"),
    "dark": translatable("Dark"),
    "contrast": translatable("High contrast"),
}
LANGUAGE_OF_THE_SYSTEM = translatable("As the system")
NEXT_START = translatable("Jurydesk shows the language from its next start on.")
DATA = {
    "chunks": translatable("are sent with the work"),
    "paths": translatable("are at a path that all machines share"),
}
NO_ADDRESS = translatable("Write an address such as tcp://host:8786.")
DEVICES = {
    "auto": translatable("The fastest available"),
    "cpu": "CPU",
    "cuda": "CUDA",
    "mps": translatable("Apple graphics"),
}


class PreferencesSheet(Sheet):
    """Form of the preferences; `theme_chosen` carries the name of a theme."""

    theme_chosen = Signal(str)

    def __init__(self, evaluator: Evaluator, settings: Settings, parent: QWidget) -> None:
        super().__init__(translate("Preferences"), parent, width=520)
        self._evaluator = evaluator
        self._settings = settings
        self.add_head()
        self.device = _choice(translate("Device"), DEVICES, evaluator.device)
        self.device.currentIndexChanged.connect(self._choose_device)
        self.processes = number_box(translate("Workers"), 0, default_jobs(), evaluator.processes)
        self.processes.setSpecialValueText(translate("All"))
        self.processes.valueChanged.connect(self._choose_processes)
        self.scheduler = QLineEdit(evaluator.scheduler)
        self.scheduler.setAccessibleName(translate("Scheduler"))
        self.scheduler.setPlaceholderText(translate("none, or a Dask scheduler"))
        self.scheduler.setToolTip(
            translate("Address of a Dask scheduler whose workers compute the scores")
        )
        self.scheduler.editingFinished.connect(self._choose_scheduler)
        self.problem = label(translate(NO_ADDRESS), "bad")
        self.data = _choice(translate("Pictures"), DATA, evaluator.data)
        self.data.currentIndexChanged.connect(self._choose_data)
        self.theme = _choice(translate("Theme"), THEMES, theme().mode)
        self.theme.currentIndexChanged.connect(self._choose_theme)
        languages = {"": translate(LANGUAGE_OF_THE_SYSTEM), **LANGUAGES}
        self.language = _choice(translate("Language"), languages, settings.text("language"))
        self.language.currentIndexChanged.connect(self._choose_language)
        self.next_start = label(translate(NEXT_START), "muted", wrap=True)
        form = self._form = QFormLayout()
        form.setRowWrapPolicy(QFormLayout.RowWrapPolicy.WrapLongRows)
        form.setVerticalSpacing(px(10))
        form.setHorizontalSpacing(px(16))
        form.setContentsMargins(0, px(8), 0, px(8))
        for title, field in (
            (translate("Neural metrics run on"), self.device),
            (translate("Processors used"), self.processes),
            (translate("Other machines"), self.scheduler),
            ("", self.problem),
            (translate("Pictures for other machines"), self.data),
            (translate("Theme"), self.theme),
            (translate("Language"), self.language),
            ("", self.next_start),
        ):
            caption = label(title)
            caption.setBuddy(field)
            form.addRow(caption, field)
        form.setRowVisible(self.problem, False)
        form.setRowVisible(self.next_start, False)
        self.body.addLayout(form)
        self.body.addLayout(row_layout(None, button(translate("Close"), self.close, "primary")))

    def fit(self, width: int) -> None:
        """Place the fields below their captions where both have no room side by side."""
        form, policy = self._form, QFormLayout.RowWrapPolicy
        placed = placed_widgets(form)
        fields = [one for one in placed if form.labelForField(one) is not None]
        captions = [one for one in placed if one not in fields]
        widest = (max(one.sizeHint().width() for one in part) for part in (captions, fields))
        needed = sum(widest) + form.horizontalSpacing()
        is_narrow = needed > self.inner_width
        form.setRowWrapPolicy(policy.WrapAllRows if is_narrow else policy.WrapLongRows)

    def initial_focus(self) -> QWidget:
        return self.device

    def _choose_device(self) -> None:
        self._evaluator.use_device(self.device.currentData())
        self._settings.keep("device", self._evaluator.device)

    def _choose_processes(self, number: int) -> None:
        self._evaluator.processes = number
        self._settings.keep("processes", number)

    def _choose_scheduler(self) -> None:
        """Use this scheduler from the next scoring on, or this machine if the field is empty."""
        address = self.scheduler.text().strip()
        is_valid = not address or ADDRESS.fullmatch(address) is not None
        self._form.setRowVisible(self.problem, not is_valid)
        self.adjustSize()
        if is_valid:
            self._evaluator.scheduler = address
            self._settings.keep("scheduler", address)

    def _choose_data(self) -> None:
        self._evaluator.data = self.data.currentData()
        self._settings.keep("data", self._evaluator.data)

    def _choose_language(self) -> None:
        """Store the language; texts that are shown stay as they are."""
        self._settings.keep("language", self.language.currentData())
        self._form.setRowVisible(self.next_start, True)
        self.adjustSize()

    def _choose_theme(self) -> None:
        self.theme_chosen.emit(self.theme.currentData())


def _choice(name: str, choices: dict[str, str], value: str) -> QComboBox:
    box = ChoiceBox()
    box.setAccessibleName(name)
    box.setMinimumWidth(px(120))
    for key, title in choices.items():
        box.addItem(translate_text(title), key)
    box.setCurrentIndex(max(0, box.findData(value)))
    return box
