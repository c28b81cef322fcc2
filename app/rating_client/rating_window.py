"""Rating window: the rating page, with menus for saving answers and for zoom and theme."""

from __future__ import annotations

import json
import math
from pathlib import Path

from PySide6.QtCore import Property, QObject, QSize, Qt, QUrl, Signal, Slot
from PySide6.QtGui import QAction, QCloseEvent, QColor, QIcon, QKeySequence
from PySide6.QtWebChannel import QWebChannel
from PySide6.QtWebEngineCore import (
    QWebEngineDownloadRequest,
    QWebEngineNewWindowRequest,
    QWebEnginePage,
    QWebEngineProfile,
    QWebEngineSettings,
)
from PySide6.QtWebEngineWidgets import QWebEngineView
from PySide6.QtWidgets import QFileDialog, QMainWindow, QMenu, QMessageBox, QWidget
from shiboken6 import Shiboken

from jurydesk.app.rating_client.url_scheme import (
    NAME,
    PAGE,
    RequestInterceptor,
    SchemeHandler,
    register_scheme,
)
from jurydesk.app.style.theme import Mode, current, theme
from jurydesk.app.widgets.message import message_box
from jurydesk.app.widgets.shown_files import show_folder
from jurydesk.app.window.frame import fitting
from jurydesk.core.human_evaluation.answers.answers_file import SUFFIX
from jurydesk.core.human_evaluation.answers.rater_state import Act
from jurydesk.core.human_evaluation.answers.rating_session import RatingSession
from jurydesk.core.language import failure_reason, translate
from jurydesk.core.system.paths import resources_folder

LONGEST_MESSAGE = 20_000
"""In characters, more than the longest comment as JSON."""


class Bridge(QObject):
    """Interface of the page's scripts: `save`, `next`, `previous`, `skip`, `undo`, `show_folder`.

    Each but the last returns a JSON object: `saved` is true only after the event is on the disk,
    and `view` is the state to show.
    """

    themeChanged = Signal()

    def __init__(self, session: RatingSession, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session = session
        theme().changed.connect(self.themeChanged)

    @Slot(str, str, str, float, result=str)
    def save(self, item: str, question: str, value: str, seconds: float) -> str:
        """Answer a question of the item in front; `value` is JSON."""
        if len(value) > LONGEST_MESSAGE:
            return self._refusal_json()
        try:
            answer = json.loads(value)
        except (ValueError, RecursionError):
            return self._refusal_json()
        return self._do("answer", item, seconds, question, answer)

    @Slot(str, str, float, result=str)
    def next(self, item: str, target: str, seconds: float) -> str:
        """Go on from the item in front, or to the item `target` where that is not empty."""
        return self._do("next", item, seconds, value=target or None)

    @Slot(str, float, result=str)
    def previous(self, item: str, seconds: float) -> str:
        """Go back to the item before."""
        return self._do("previous", item, seconds)

    @Slot(str, float, result=str)
    def skip(self, item: str, seconds: float) -> str:
        """Put the item in front off to the end."""
        return self._do("skip", item, seconds)

    @Slot(str, float, result=str)
    def undo(self, item: str, seconds: float) -> str:
        """Take the last answer back."""
        return self._do("undo", item, seconds)

    @Slot()
    def show_folder(self) -> None:
        """Show the folder of the written answers."""
        if self._session.folder is not None:
            show_folder(self._session.folder)

    def _do(
        self, act: Act, item: str, seconds: float, question: str = "", value: object = None
    ) -> str:
        if not math.isfinite(seconds):
            return self._refusal_json()
        return json.dumps(self._session.do(act, item, question, value, seconds))

    def _refusal_json(self) -> str:
        return json.dumps({"saved": False, "view": self._session.view()})

    def _packet(self) -> str:
        return json.dumps(self._session.packet())

    def _view(self) -> str:
        return json.dumps(self._session.view())

    def _theme(self) -> str:
        return theme().colours.name

    # Constant for the channel: it asks for them once, when the page is loaded.
    packet = Property(str, _packet, constant=True)
    view = Property(str, _view, constant=True)
    theme = Property(str, _theme, notify=themeChanged)


Attribute = QWebEngineSettings.WebAttribute
OFF = (
    Attribute.PluginsEnabled,
    Attribute.LocalStorageEnabled,
    Attribute.JavascriptCanAccessClipboard,
    Attribute.JavascriptCanOpenWindows,
    Attribute.JavascriptCanPaste,
    Attribute.LocalContentCanAccessFileUrls,
    Attribute.LocalContentCanAccessRemoteUrls,
    Attribute.PdfViewerEnabled,
    Attribute.WebGLEnabled,
    Attribute.ScreenCaptureEnabled,
    Attribute.FullScreenSupportEnabled,
    Attribute.NavigateOnDropEnabled,
    Attribute.DnsPrefetchEnabled,
    Attribute.HyperlinkAuditingEnabled,
)


class FixedWebPage(QWebEnginePage):
    """A web page that cannot navigate elsewhere."""

    def acceptNavigationRequest(
        self, url: QUrl | str, kind: QWebEnginePage.NavigationType, main_frame: bool
    ) -> bool:
        url = QUrl(url)
        return main_frame and url == PAGE and url.scheme().encode() == NAME


class RatingView(QWebEngineView):
    """Web view of a session; call `dispose` to free the page before its profile."""

    def __init__(self, session: RatingSession, parent: QWidget | None = None) -> None:
        register_scheme()
        super().__init__(parent)
        self.setAccessibleName(translate("Rating"))
        self._profile = QWebEngineProfile()  # without a name: nothing is written to the disk
        self._handler = SchemeHandler(session.content.photos.__getitem__, self._profile)
        self.interceptor = RequestInterceptor(self._profile)
        self._profile.installUrlSchemeHandler(NAME, self._handler)
        self._profile.setUrlRequestInterceptor(self.interceptor)
        self._profile.downloadRequested.connect(self._refuse_download)
        self._page = FixedWebPage(self._profile, None)
        self.bridge = Bridge(session, self._page)
        self._channel = QWebChannel(self._page)
        self._channel.registerObject("bridge", self.bridge)
        self._page.setWebChannel(self._channel)
        self._page.newWindowRequested.connect(self._refuse_window)
        self._page.urlChanged.connect(self._return_to_page)
        settings = self._page.settings()
        for attribute in OFF:
            settings.setAttribute(attribute, False)
        self.setPage(self._page)
        theme().follow(self._paint_ground)
        self._page.load(PAGE)

    def dispose(self) -> None:
        """Free the page, then its profile; the view cannot be used afterwards."""
        if Shiboken.isValid(self._page):
            theme().changed.disconnect(self._paint_ground)
            Shiboken.delete(self._page)
            Shiboken.delete(self._profile)

    def _paint_ground(self) -> None:
        """Set the background before the page is loaded, so that it does not flash."""
        self._page.setBackgroundColor(QColor(current().background))

    def _return_to_page(self, url: QUrl) -> None:
        """Return from an empty page: the engine never asks before it navigates to that.

        Nothing is lost, since the page shows the stored events.
        """
        if url != PAGE:
            self._page.load(PAGE)

    def _refuse_download(self, request: QWebEngineDownloadRequest) -> None:
        request.cancel()

    def _refuse_window(self, request: QWebEngineNewWindowRequest) -> None:
        """Ignore the request: a new window opens only if a page is created for it."""


SIZE = QSize(1280, 828)


class RatingWindow(QMainWindow):
    """Main window of the rating program."""

    def __init__(self, session: RatingSession, packet: Path) -> None:
        super().__init__()
        self._session = session
        self._packet = packet
        self.setWindowTitle(
            translate("Rating · packet {rater} – Jurydesk", rater=session.content.rater)
        )
        self.setWindowIcon(QIcon(str(resources_folder() / "icons" / "jurydesk.svg")))
        self.resize(fitting(SIZE, self.screen().availableGeometry().size()))
        self.view = RatingView(session, self)
        self.setCentralWidget(self.view)
        file = self._menu(translate("&File"))
        self._add(file, translate("Save answers …"), "Ctrl+S", self._choose)
        self._add(file, translate("Close"), "Ctrl+W", self.leave)
        look = self._menu(translate("&View"))
        self._add(look, translate("Larger text"), "Ctrl++", self.zoom_in)
        self._add(look, translate("Smaller text"), "Ctrl+-", self.zoom_out)
        self._add(look, translate("Light theme"), "", self.use_light)
        self._add(look, translate("Dark theme"), "", self.use_dark)
        self._add(look, translate("Theme of the system"), "", self.use_system)
        self.view.setFocus()

    def _menu(self, title: str) -> QMenu:
        return self.menuBar().addMenu(title)

    def _add(self, menu: QMenu, title: str, keys: str, slot: object) -> None:
        action = QAction(title, self)
        action.setShortcut(QKeySequence(keys))
        action.triggered.connect(slot)
        menu.addAction(action)

    def zoom_in(self) -> None:
        """Make everything on the page larger."""
        self.view.setZoomFactor(min(self.view.zoomFactor() + 0.25, 3.0))

    def zoom_out(self) -> None:
        """Make everything on the page smaller."""
        self.view.setZoomFactor(max(self.view.zoomFactor() - 0.25, 0.5))

    def use_light(self) -> None:
        """Show the light theme."""
        self._set_mode("light")

    def use_dark(self) -> None:
        """Show the dark theme."""
        self._set_mode("dark")

    def use_system(self) -> None:
        """Follow the system's theme."""
        self._set_mode("system")

    def _set_mode(self, mode: Mode) -> None:
        theme().set_mode(mode)

    def _choose(self) -> None:
        start = str(self._packet.with_suffix(SUFFIX))
        name, _ = QFileDialog.getSaveFileName(
            self, translate("Save answers"), start, f"{translate('Answers')} (*{SUFFIX})"
        )
        if name:
            self.save(Path(name))

    def save(self, path: Path) -> None:
        """Write the answers to a file, or show why that failed."""
        try:
            self._session.save(path if path.suffix else path.with_suffix(SUFFIX))
        except OSError as error:
            problem = translate(
                "The answers could not be written: {reason}.",
                reason=failure_reason(error),
            )
            advice = translate("They are kept in the program. Choose another folder.")
            message_box(problem, advice, self).open()

    def leave(self) -> None:
        """Close the window; offer to save answers first that are in no file yet."""
        if not self._session.unsent:
            self.close()
            return
        answered = translate(
            "{count} of {total} are answered.",
            count=self._session.unsent,
            total=len(self._session.content.items),
        )
        advice = translate(
            "The answers stay on this computer, and you can go on later. "
            "Save them to send what is done."
        )
        box = message_box(answered, advice, self)
        box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        save = box.addButton(translate("Save answers …"), QMessageBox.ButtonRole.AcceptRole)
        later = box.addButton(translate("Close"), QMessageBox.ButtonRole.RejectRole)
        box.setDefaultButton(save)
        box.setEscapeButton(later)
        save.clicked.connect(self._save_and_close)
        later.clicked.connect(self.close)
        box.open()

    def _save_and_close(self) -> None:
        self._choose()
        if not self._session.unsent:
            self.close()

    def closeEvent(self, event: QCloseEvent) -> None:
        if event.spontaneous() and self._session.unsent:
            event.ignore()
            self.leave()
            return
        self.view.dispose()
        self._session.close()
        super().closeEvent(event)
