"""Card of a competition's options, built from the fields of its options dataclass."""

from __future__ import annotations

import typing
from collections.abc import Mapping
from dataclasses import Field, fields
from typing import Any

from PySide6.QtCore import QObject, QSignalBlocker, Signal
from PySide6.QtWidgets import QCheckBox, QComboBox, QLineEdit, QWidget

from jurydesk.app.style.theme import px
from jurydesk.app.style.visible_text import tip
from jurydesk.app.widgets.name_box import ElidedBox
from jurydesk.app.widgets.parts import Card, clear_layout, label
from jurydesk.core.language import translatable, translate, translate_text
from jurydesk.core.model.options import option_label

PARSERS = (int, float, str)
NOTHING = translatable("none")


class OptionsCard(Card):
    """Card with one field per option; `changed` carries the option's name and new value."""

    guide_part = translatable("Options")

    changed = Signal(str, object)

    def __init__(self) -> None:
        super().__init__(translate("Options"))
        self.fields: dict[str, OptionField] = {}

    def show_options(self, options: Any) -> None:
        """Show these options; rebuild the widgets if the dataclass changed."""
        declared = _window_fields(options) if options is not None else ()
        if [field.name for field in declared] != list(self.fields):
            self._build(type(options), declared)
        for field in declared:
            self.fields[field.name].show_value(getattr(options, field.name))

    def _build(self, options: type[Any], declared: tuple[Field[Any], ...]) -> None:
        clear_layout(self.body, keep=1)
        self.fields = {}
        kinds = typing.get_type_hints(options) if declared else {}
        for field in declared:
            made = OptionField(field, kinds[field.name], self)
            made.changed.connect(self.changed)
            if not isinstance(made.widget, QCheckBox):
                title = label(translate_text(option_label(field)), "small")
                title.setToolTip(made.widget.toolTip())
                title.setBuddy(made.widget)
                title.setContentsMargins(0, px(4), 0, 0)
                self.body.addWidget(title)
            self.body.addWidget(made.widget)
            self.fields[field.name] = made


class OptionField(QObject):
    """Widget of one option: a combo box, a check box or a line edit."""

    changed = Signal(str, object)

    def __init__(self, field: Field[Any], kind: Any, parent: QObject) -> None:
        super().__init__(parent)
        self._name, self._title = field.name, translate_text(option_label(field))
        self._optional = type(None) in typing.get_args(kind)
        types = {kind, *typing.get_args(kind)}
        self._parse = next((parse for parse in PARSERS if parse in types), str)
        self._is_tuple = typing.get_origin(kind) is tuple
        self.widget = self._make(field.metadata, bool in types)
        self._help = help = translate_text(field.metadata.get("help", ""))
        self.widget.setToolTip(tip(help))
        self.widget.setAccessibleName(translate_text(option_label(field)))
        self.widget.setAccessibleDescription(help)

    def _make(self, metadata: Mapping[str, Any], tick: bool) -> QWidget:
        choices, titles = metadata.get("choices", ()), metadata.get("titles", {})
        if choices and not self._is_tuple:
            box = ElidedBox()
            # A long choice is cut, so that the column keeps its width.
            box.setSizeAdjustPolicy(
                QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon
            )
            box.setMinimumContentsLength(10)
            for choice in choices:
                title = translate_text(titles.get(choice, str(choice))) or translate(NOTHING)
                box.addItem(title, choice)
            box.activated.connect(self._emit_value)
            return box
        if tick:
            check = QCheckBox(self._title)
            check.toggled.connect(self._emit_value)
            return check
        line = QLineEdit()
        line.setPlaceholderText(translate("default" if self._optional else NOTHING))
        line.editingFinished.connect(self._emit_value)
        return line

    def show_value(self, value: Any) -> None:
        """Show a value without emitting `changed`."""
        with QSignalBlocker(self.widget):
            match self.widget:
                case QComboBox():
                    self.widget.setCurrentIndex(self.widget.findData(value))
                    self.widget.setToolTip(tip(self.widget.currentText(), self._help))
                case QCheckBox():
                    self.widget.setChecked(bool(value))
                case QLineEdit():
                    self.widget.setText(_text(value))
                    self.widget.setCursorPosition(0)
                    self.widget.setToolTip(tip(self.widget.text(), self._help))
        self._shown_value = value

    def _emit_value(self) -> None:
        try:
            value = self._value()
        except ValueError:
            self.show_value(self._shown_value)
            return
        self.changed.emit(self._name, value)

    def _value(self) -> Any:
        match self.widget:
            case QComboBox():
                return self.widget.currentData()
            case QCheckBox():
                return self.widget.isChecked()
            case QLineEdit():
                return self._parse_text(self.widget.text().strip())
        raise TypeError(type(self.widget).__name__)

    def _parse_text(self, text: str) -> Any:
        if self._is_tuple:
            return tuple(self._parse(part.strip()) for part in text.split(",") if part.strip())
        return None if self._optional and not text else self._parse(text)


def _window_fields(options: Any) -> tuple[Field[Any], ...]:
    """Return all fields but output files, which only the command line needs."""
    return tuple(field for field in fields(options) if not field.metadata.get("target"))


def _text(value: Any) -> str:
    if isinstance(value, tuple):
        return ", ".join(str(part) for part in value)
    return "" if value is None else str(value)
