"""Contents of a participant kit, shown before it is exported."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QCheckBox, QPushButton, QVBoxLayout, QWidget

from jurydesk.app.sheets.sheet import Sheet
from jurydesk.app.style.theme import px
from jurydesk.app.style.visible_text import tip
from jurydesk.app.widgets.parts import button, label, row_layout, scroll_area, set_spacing
from jurydesk.core.language import translatable, translate, translate_text
from jurydesk.core.participant_kit.kit import SUFFIX, ParticipantKit

PURPOSE = translatable(
    "A checker for participants: it reports what Check reports, before they submit."
)
CONTENTS = translatable("The kit contains only this information about the reference data:")
UNABLE = translatable("Only you can check:")
NO_PAGE = translatable("There is no browser page for this competition.")
ENTRIES = translatable(
    "The kit carries your public key, which is made on first use: teams seal entries with it, and "
    "you open them on this desk."
)


class ParticipantKitSheet(Sheet):
    """Facts in a participant kit.

    `export_requested` carries the kit, a file suffix, and whether the desk takes sealed entries.
    """

    guide_part = translatable("Participant kit")

    export_requested = Signal(object, str, bool)

    def __init__(
        self,
        kit: ParticipantKit,
        names: Mapping[str, str],
        has_page: bool,
        parent: QWidget,
        *,
        offers_entries: bool = False,
    ) -> None:
        super().__init__(translate("Participant kit"), parent, width=560)
        self._kit = kit
        self.add_head(translate(PURPOSE))
        self.body.addSpacing(px(6))
        self.body.addWidget(label(translate(CONTENTS), "heading", wrap=True))
        self._inside = _facts(kit, names)
        self.facts = scroll_area(self._inside)
        self.facts.setAccessibleName(translate("Contents of the kit"))
        self.body.addWidget(self.facts)
        version = translate(
            "Rules {sha256}, Jurydesk {program}. Every checker shows this line.",
            sha256=kit.sha256[:12],
            program=kit.program,
        )
        self.entries = QCheckBox(translate("Take sealed entries after the deadline"))
        self.entries.setToolTip(tip(translate(ENTRIES)))
        self.body.addWidget(self.entries)  # first: without a parent it would be a window
        self.entries.setVisible(offers_entries)
        rules = label(version, "tiny", wrap=True)
        self.entries.toggled.connect(rules.setHidden)  # with the keys the rules have another hash
        self.body.addWidget(rules)
        self.program = button(
            translate("For Jurydesk …"),
            self._program,
            "primary",
            translate("Write a {suffix} file", suffix=SUFFIX),
        )
        self.page: QPushButton | None = None
        if has_page:
            self.page = button(
                translate("For any browser …"), self._page, hint=translate("Write one HTML file")
            )
        else:
            self.body.addWidget(label(translate(NO_PAGE), "muted", wrap=True))
        pages = [self.page] if self.page else []
        self.body.addSpacing(px(6))
        self.body.addLayout(
            row_layout(button(translate("Cancel"), self.close), None, *pages, self.program)
        )

    def initial_focus(self) -> QWidget:
        return self.program

    def fit(self, width: int) -> None:
        """Fit the height to the facts, which scroll if the window is too small."""
        self.fit_rows(self.facts, self.window_height)
        is_whole = self.facts.height() >= self._inside.heightForWidth(self.inner_width)
        policy = Qt.FocusPolicy.NoFocus if is_whole else Qt.FocusPolicy.StrongFocus
        self.facts.setFocusPolicy(policy)

    def _program(self) -> None:
        self._choose(SUFFIX)

    def _page(self) -> None:
        self._choose(".html")

    def _choose(self, suffix: str) -> None:
        self.close()
        self.export_requested.emit(self._kit, suffix, self.entries.isChecked())


def _facts(kit: ParticipantKit, names: Mapping[str, str]) -> QWidget:
    inside = QWidget()
    column = QVBoxLayout(inside)
    set_spacing(column, 4)
    for sentence in kit_sentences(kit, names):
        column.addWidget(label(f"•  {translate_text(sentence)}", wrap=True))
    if kit.unable:
        column.addSpacing(px(6))
        column.addWidget(label(translate(UNABLE), "heading"))
    for sentence in kit.unable:
        column.addWidget(label(f"•  {translate_text(sentence)}", wrap=True))
    return inside


def kit_sentences(kit: ParticipantKit, names: Mapping[str, str]) -> list[str]:
    """Return what a kit reveals, one sentence each; `names` are the titles of the options."""
    options = [
        translate("The option “{option}”: {value}.", option=names.get(key, key), value=value)
        for key, value in kit.options.items()
    ]
    return [*(fact.says for fact in kit.facts), *options]
