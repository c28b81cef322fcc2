"""Commands of the View and Help menus: theme, zoom, layout, and sheets over the window."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, cast

from PySide6.QtCore import QByteArray, QCoreApplication, QEvent, QObject, Signal
from PySide6.QtWidgets import QApplication, QWidget

from jurydesk.app.commands.actions import Actions
from jurydesk.app.jobs.crash_report import log_folder
from jurydesk.app.jobs.latest_job import LatestJob
from jurydesk.app.pages import PAGES
from jurydesk.app.state.settings import Settings
from jurydesk.app.style.theme import Mode, theme
from jurydesk.core.language import translate

if TYPE_CHECKING:
    from jurydesk.app.sheets.add_ons_sheet import AddOnJobs
    from jurydesk.app.sheets.self_test_sheet import SelfTests
    from jurydesk.app.sheets.sheet import Sheet
    from jurydesk.app.state.evaluator import Evaluator
    from jurydesk.app.window.frame import Frame
    from jurydesk.app.window.page_stack import PageStack


def set_zoom(settings: Settings, zoom: float) -> None:
    """Set and remember the size of type."""
    theme().set_zoom(zoom)
    settings.keep("zoom", zoom)


class LayoutReset:
    """Reset of the sizes of window, type, columns and splitters, which restores what was there."""

    def __init__(self, window: Frame, book: PageStack, settings: Settings) -> None:
        self._window, self._book, self._settings = window, book, settings
        self._restore: Callable[[], None] = lambda: None

    def redo(self) -> None:
        """Restore the default sizes."""
        zoom, geometry = theme().zoom, self._window.saveGeometry()
        self._restore = partial(self._restore_all, zoom, geometry, self._book.layout_restorers())
        self._window.showNormal()
        self._window.reset_size()
        set_zoom(self._settings, 1.0)
        self._book.reset_layout()

    def undo(self) -> None:
        """Restore the sizes before the reset."""
        self._restore()

    def _restore_all(
        self, zoom: float, geometry: QByteArray, pages: Sequence[Callable[[], object]]
    ) -> None:
        set_zoom(self._settings, zoom)
        self._window.restoreGeometry(geometry)
        # A splitter divides the room that it has now.
        QCoreApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest)
        for restore in pages:
            restore()


class ViewCommands(QObject):
    """Commands of the View and Help menus; a sheet is built when it is opened."""

    message = Signal(object)
    sheet_changed = Signal()

    def __init__(
        self,
        window: Frame,
        shell: QWidget,
        actions: Actions,
        evaluator: Evaluator,
        settings: Settings,
        book: PageStack,
    ) -> None:
        super().__init__(window)
        self._book = book
        self._window = window
        self._shell = shell
        self._actions = actions
        self._evaluator = evaluator
        self._settings = settings
        self.sheet: Sheet | None = None
        self.self_tests: SelfTests = LatestJob(self, evaluator.jobs)
        self.self_tests.arrived.connect(self._self_test_ended)
        self.add_ons: AddOnJobs = LatestJob(self, evaluator.jobs)
        actions.check(f"view.theme.{theme().mode}")

    # Look

    def set_theme(self, mode: str) -> None:
        """Set and remember the theme."""
        theme().set_mode(cast(Mode, mode))
        self._settings.keep("theme", mode)
        self._actions.check(f"view.theme.{mode}")

    def zoom_in(self) -> None:
        self._zoom(1)

    def zoom_out(self) -> None:
        self._zoom(-1)

    def zoom_reset(self) -> None:
        set_zoom(self._settings, 1.0)

    def _zoom(self, steps: int) -> None:
        theme().zoom_by(steps)
        self._settings.keep("zoom", theme().zoom)

    def full_screen(self) -> None:
        if self._window.isFullScreen():
            self._window.showNormal()
        else:
            self._window.showFullScreen()

    def reset_layout(self) -> None:
        """Restore the default sizes of window, columns and type; this can be undone."""
        reset = LayoutReset(self._window, self._book, self._settings)
        self._evaluator.change(
            translate("resetting the layout"),
            translate("The layout was reset."),
            reset.redo,
            reset.undo,
        )

    # Sheets

    def show_palette(self) -> None:
        """Show the command palette."""
        from jurydesk.app.sheets.command_palette import CommandPalette

        self.show_sheet(CommandPalette(self._actions, self._shell))

    def show_shortcuts(self) -> None:
        from jurydesk.app.sheets.help import ShortcutsSheet

        pages = {page.id: page.title for page in PAGES}
        self.show_sheet(ShortcutsSheet(self._actions.commands.values(), pages, self._shell))

    def show_preferences(self) -> None:
        """Show the preferences."""
        from jurydesk.app.sheets.preferences import PreferencesSheet

        sheet = PreferencesSheet(self._evaluator, self._settings, self._shell)
        sheet.theme_chosen.connect(self.set_theme)
        self.show_sheet(sheet)

    def show_guide(self) -> None:
        """Show the guide, open at what has the focus, else at the current page."""
        from jurydesk.app.sheets.help import GuideSheet

        part = _guide_part(QApplication.focusWidget()) or self._book.front.title
        guide = GuideSheet({page.title: page.id for page in PAGES}, self._shell)
        guide.show_part(translate(part))
        self.show_sheet(guide)

    def show_about(self) -> None:
        from jurydesk.app.sheets.help import AboutSheet

        self.show_sheet(AboutSheet(self._shell))

    def show_self_test(self) -> None:
        """Compute the recorded numbers on this computer."""
        from jurydesk.app.sheets.self_test_sheet import SelfTestSheet

        self.show_sheet(SelfTestSheet(self.self_tests, self._evaluator.device, self._shell))

    def show_add_ons(self) -> None:
        """List the add-ons, to add or remove one."""
        from jurydesk.app.sheets.add_ons_sheet import AddOnsSheet

        self.show_sheet(AddOnsSheet(self.add_ons, self._shell))

    def _self_test_ended(self, record: dict[str, Any]) -> None:
        """Say what was found, unless a sheet shows it."""
        from jurydesk.app.sheets.self_test_sheet import SelfTestSheet, describe_record

        if not isinstance(self.sheet, SelfTestSheet):
            finding = describe_record(record)
            self.message.emit(translate("The self-test has ended. {finding}", finding=finding))

    def open_log_folder(self) -> None:
        """Show the log files in the system's file manager."""
        from PySide6.QtCore import QUrl
        from PySide6.QtGui import QDesktopServices

        QDesktopServices.openUrl(QUrl.fromLocalFile(str(log_folder())))

    def show_sheet(self, sheet: Sheet) -> None:
        """Show a sheet over the window, and close the previous one."""
        if self.sheet is not None:
            self.sheet.close()
        self.sheet = sheet
        sheet.closed.connect(self._discard_sheet)
        sheet.open()
        self.sheet_changed.emit()

    def _discard_sheet(self) -> None:
        if self.sheet is not None:
            self.sheet.deleteLater()
            self.sheet = None
        self.sheet_changed.emit()


def _guide_part(widget: QWidget | None) -> str:
    """Return the part of the guide that a widget or one around it names; empty if none does."""
    while widget is not None:
        if part := getattr(widget, "guide_part", ""):
            return str(part)
        widget = widget.parentWidget()
    return ""
