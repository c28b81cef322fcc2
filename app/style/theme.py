"""Theme: colours, fonts, and the style sheet made of them.

Custom painting uses the colours of `current()` and the type of `font()`, and repaints on
`theme().changed`. Sizes are in device-independent pixels for a base font of 13; `px` scales them
to the user's font and zoom.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache, lru_cache, partial
from string import Template
from typing import Literal, NamedTuple

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontDatabase, QFontInfo, QPalette
from PySide6.QtWidgets import QApplication, QWidget

from jurydesk.core.system.paths import resources_folder

Mode = Literal["system", "light", "dark", "contrast"]
BASE, SMALL, TINY, TITLE, HEADING = 13, 12, 11, 18, 15
ZOOMS = (0.8, 0.9, 1.0, 1.1, 1.25, 1.5, 1.75, 2.0)
STYLE, STYLED = "Fusion", "isInStyleOfTheme"
"""Style of Qt that the theme is made for, and the property of an application that has it."""
POLISHED, LATE = Qt.WidgetAttribute.WA_WState_Polished, "isInEarlierStyle"
SPARED = Qt.WidgetAttribute.WA_SetStyle
"""Mark of widgets that Qt does not tell of another style of the application."""
"""Mark of widgets that have the style, and property of a page that a change found hidden."""
FALLBACKS = ("Noto Sans", "Noto Sans CJK SC", "DejaVu Sans")


class Colours(NamedTuple):
    """A palette of `#rrggbb` colours; the last four, for METEOR's modules, are colour-blind safe.

    `line` separates rows and cards; `border` is the edge of a control, `faint` the text of a
    placeholder or a disabled control: both have the contrast that WCAG 2.2 AA requires.
    """

    name: str
    background: str
    card: str
    line: str
    border: str
    text: str
    muted: str
    faint: str
    accent: str
    accent_soft: str
    accent_strong: str
    on_accent: str
    hover: str
    good: str
    bad: str
    bad_soft: str
    exact: str
    stem: str
    synonym: str
    paraphrase: str


LIGHT = Colours(
    name="light",
    background="#f7f6f3",
    card="#ffffff",
    line="#e3e0d8",
    border="#838892",
    text="#1f2328",
    muted="#566075",
    faint="#656c7b",
    accent="#3457d5",
    accent_soft="#e9eefc",
    accent_strong="#2a48b8",
    on_accent="#ffffff",
    hover="#f1efea",
    good="#12694a",
    bad="#a03d05",
    bad_soft="#fdf1e7",
    exact="#0072b2",
    stem="#009e73",
    synonym="#c77700",
    paraphrase="#b4548f",
)
DARK = Colours(
    name="dark",
    background="#141619",
    card="#1c1f24",
    line="#2d3138",
    border="#7a8290",
    text="#e8eaed",
    muted="#a9b3c6",
    faint="#8f98a8",
    accent="#8aa4ff",
    accent_soft="#232c4a",
    accent_strong="#a5b9ff",
    on_accent="#10131a",
    hover="#24282e",
    good="#5ccf98",
    bad="#ffa66a",
    bad_soft="#33261c",
    exact="#56b4e9",
    stem="#3fd0a4",
    synonym="#f0b44c",
    paraphrase="#e29bc7",
)

HIGH_CONTRAST = Colours(
    name="dark",
    background="#000000",
    card="#000000",
    line="#9a9a9a",
    border="#ffffff",
    text="#ffffff",
    muted="#e6e6e6",
    faint="#c4c4c4",
    accent="#ffe14d",
    accent_soft="#33300a",
    accent_strong="#fff0a0",
    on_accent="#000000",
    hover="#262626",
    good="#7dffb8",
    bad="#ffb98a",
    bad_soft="#331a00",
    exact="#7cc8ff",
    stem="#5fffc8",
    synonym="#ffd27a",
    paraphrase="#ffb0dc",
)


def make_application() -> QApplication:
    """Return a new application in the style that the theme is made for."""
    # `setStyle` would load Python's class of styles, 4 ms of the time to the first window.
    app = QApplication(["jurydesk", "-style", STYLE])
    app.setProperty(STYLED, True)
    return app


class Theme(QObject):
    """The theme in use; `changed` is emitted after a change of colours or zoom."""

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.mode: Mode = "system"
        self.zoom = 1.0
        self.colours = LIGHT
        self._system_px = BASE
        self._pages: list[QWidget] = []

    def install(self, app: QApplication, mode: Mode = "system", zoom: float = 1.0) -> None:
        """Set the application's style, palette and fonts, and follow the system's scheme."""
        # A bare `-platform offscreen` has no theme, and its default font may be tiny.
        self._system_px = max(BASE, QFontInfo(app.font()).pixelSize())
        self.mode, self.zoom = mode, zoom
        px.cache_clear()
        if not app.property(STYLED):
            app.setStyle(STYLE)
            app.setProperty(STYLED, True)
        app.styleHints().colorSchemeChanged.connect(self._system_changed)
        connect_contrast(app, self._system_changed)
        self._apply()

    def set_mode(self, mode: Mode) -> None:
        """Set a palette, or follow the system."""
        self.mode = mode
        self._apply()

    def set_zoom(self, zoom: float) -> None:
        self.zoom = min(max(zoom, ZOOMS[0]), ZOOMS[-1])
        px.cache_clear()
        self._apply()

    def zoom_by(self, steps: int) -> None:
        """Change the zoom by a number of steps in `ZOOMS`."""
        nearest = min(range(len(ZOOMS)), key=lambda i: abs(ZOOMS[i] - self.zoom))
        self.set_zoom(ZOOMS[min(max(nearest + steps, 0), len(ZOOMS) - 1)])

    def px(self, pixels: float) -> int:
        """Return a length in pixels at the current font size and zoom."""
        return max(1, round(pixels * self._system_px / BASE * self.zoom))

    def follow(self, slot: Callable[[], object]) -> None:
        """Call a method of a QObject now, and after each change until it is destroyed."""
        slot()
        self.changed.connect(slot)

    def add_page(self, page: QWidget) -> None:
        """Let a page of many, or a list that pops up, wait with a change until `catch_up`."""
        self._pages.append(page)
        page.destroyed.connect(partial(self._pages.remove, page))

    def catch_up(self, page: QWidget) -> None:
        """Apply the style to a page that a change found hidden, before it is shown."""
        if not page.property(LATE):
            return  # a new page has the style of now
        page.setProperty(LATE, False)
        _put_on([page, *page.findChildren(QWidget)])
        self.changed.emit()  # fonts that widgets set themselves come last

    def _waiting(self) -> set[int]:
        """Return the ids of the widgets of hidden pages, to which most widgets belong."""
        hidden = [page for page in self._pages if not page.isVisible()]
        for page in hidden:
            page.setProperty(LATE, page.property(LATE) or page.testAttribute(POLISHED))
        return {id(one) for page in hidden for one in (page, *page.findChildren(QWidget))}

    def _system_changed(self) -> None:
        if self.mode == "system":
            self._apply()

    def _apply(self) -> None:
        app = QApplication.instance()
        if not isinstance(app, QApplication):
            raise RuntimeError("the theme needs a QApplication")
        hints = app.styleHints()
        self.colours = _choose_colours(
            self.mode, hints.colorScheme(), contrast=prefers_high_contrast(app)
        )
        waiting = self._waiting()
        # PySide may take a widget for the deleted layout item whose address it has.
        everything = [one for one in QApplication.allWidgets() if isinstance(one, QWidget)]
        for widget in everything:
            widget.setAttribute(SPARED)
        # Qt itself is faster than one widget after the other: it looks for no rules any more.
        styled = [one for one in everything if one.testAttribute(POLISHED)]
        app.setStyleSheet("")
        for widget in styled:
            widget.setAttribute(POLISHED, on=False)
        app.setPalette(_palette(self.colours))
        app.setFont(font())
        # Qt would put a new sheet on once for each of a widget's parents, and tell all twice.
        app.setStyleSheet(style_sheet(self.colours))
        for widget in everything:
            widget.setAttribute(SPARED, on=False)
        _put_on([one for one in styled if id(one) not in waiting])
        self.changed.emit()


@cache
def theme() -> Theme:
    """Return the application's theme."""
    return Theme()


def current() -> Colours:
    """Return the palette in use."""
    return theme().colours


def colour(name: str, alpha: float = 1.0) -> QColor:
    """Return a colour of the palette in use by its name (`"accent"`), with an opacity."""
    value = QColor(getattr(current(), name))
    value.setAlphaF(alpha)
    return value


@lru_cache(maxsize=512)
def px(pixels: float) -> int:
    """Return a length in pixels at the current font size and zoom."""
    return theme().px(pixels)


def font(size: int = BASE, *, bold: bool = False, mono: bool = False) -> QFont:
    """Return the interface font in a size, with figures of equal width."""
    value = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont) if mono else QFont()
    if not mono:
        value.setFamilies(_families())
        value.setFeature(QFont.Tag("tnum"), 1)
    value.setPixelSize(px(size))
    value.setWeight(QFont.Weight.Bold if bold else QFont.Weight.Normal)
    return value


@cache
def _families() -> list[str]:
    system = QFontDatabase.systemFont(QFontDatabase.SystemFont.GeneralFont).family()
    return [system, *FALLBACKS]


def take_off(widgets: list[QWidget]) -> None:
    """Take the style from widgets that are never shown."""
    for widget in widgets:
        if widget.testAttribute(POLISHED):
            widget.style().unpolish(widget)
            widget.setAttribute(POLISHED, on=False)


def _put_on(widgets: list[QWidget]) -> None:
    """Apply the style of now to widgets that have none."""
    for widget in widgets:
        widget.setAttribute(POLISHED)
        widget.style().polish(widget)
        QApplication.sendEvent(widget, QEvent(QEvent.Type.StyleChange))


def style_sheet(colours: Colours) -> str:
    """Return the style sheet of `resources/styles/` with colours and lengths filled in."""
    text = (resources_folder() / "styles" / "window.qss").read_text(encoding="utf-8")
    icons = (resources_folder() / "icons").as_posix()
    names = set(re.findall(r"\$px(\d+)", text))
    lengths = {f"px{n}": f"{px(int(n))}px" for n in names}
    return Template(text).substitute(colours._asdict(), icons=icons, **lengths)


def _choose_colours(mode: Mode, system: Qt.ColorScheme, *, contrast: bool) -> Colours:
    if mode == "contrast" or (mode == "system" and contrast):
        return HIGH_CONTRAST
    dark = mode == "dark" or (mode == "system" and system is Qt.ColorScheme.Dark)
    return DARK if dark else LIGHT


def prefers_high_contrast(app: QApplication) -> bool:
    """Return whether the system requests high contrast, which Qt reports since 6.10."""
    hints = getattr(app.styleHints(), "accessibility", None)
    return hints is not None and hints().contrastPreference() is Qt.ContrastPreference.HighContrast


def connect_contrast(app: QApplication, slot: Callable[[], None]) -> None:
    """Call a bound method when the system's preference for contrast changes."""
    hints = getattr(app.styleHints(), "accessibility", None)
    if hints is not None:
        hints().contrastPreferenceChanged.connect(slot)


def _palette(colours: Colours) -> QPalette:
    role = QPalette.ColorRole
    roles = {
        role.Window: colours.background,
        role.WindowText: colours.text,
        role.Base: colours.card,
        role.AlternateBase: colours.background,
        role.Text: colours.text,
        role.PlaceholderText: colours.faint,
        role.Button: colours.card,
        role.ButtonText: colours.text,
        role.BrightText: colours.bad,
        role.Highlight: colours.accent_soft,
        role.HighlightedText: colours.text,
        role.ToolTipBase: colours.card,
        role.ToolTipText: colours.text,
        role.Link: colours.accent,
        role.LinkVisited: colours.accent,
        role.Light: colours.line,
        role.Midlight: colours.line,
        role.Mid: colours.line,
        role.Dark: colours.line,
        role.Shadow: colours.line,
        role.Accent: colours.accent,
    }
    palette = QPalette()
    for key, value in roles.items():
        palette.setColor(key, QColor(value))
    for key in (role.WindowText, role.Text, role.ButtonText):
        palette.setColor(QPalette.ColorGroup.Disabled, key, QColor(colours.faint))
    return palette
