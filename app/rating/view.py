"""The web view that shows the rating page, with every door shut that the page does not need."""

from __future__ import annotations

from PySide6.QtCore import QUrl
from PySide6.QtGui import QColor
from PySide6.QtWebChannel import QWebChannel
from PySide6.QtWebEngineCore import (
    QWebEngineDownloadRequest,
    QWebEngineNewWindowRequest,
    QWebEnginePage,
    QWebEngineProfile,
    QWebEngineSettings,
)
from PySide6.QtWebEngineWidgets import QWebEngineView
from PySide6.QtWidgets import QWidget
from shiboken6 import Shiboken

from app.rating.bridge import Bridge
from app.rating.scheme import NAME, PAGE, Handler, Interceptor, register
from app.theme import current, theme
from core.rating.session import Session

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


class Page(QWebEnginePage):
    """A page that stays where it is."""

    def acceptNavigationRequest(
        self, url: QUrl, kind: QWebEnginePage.NavigationType, main_frame: bool
    ) -> bool:
        return main_frame and url == PAGE and url.scheme().encode() == NAME


class RatingView(QWebEngineView):
    """Shows a session; `dispose` frees the page before its profile, as the web engine wants it."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        register()
        super().__init__(parent)
        self.setAccessibleName("Rating")
        self._profile = QWebEngineProfile()  # without a name: nothing is written to the disk
        self._handler = Handler(session.content.photos.__getitem__, self._profile)
        self.interceptor = Interceptor(self._profile)
        self._profile.installUrlSchemeHandler(NAME, self._handler)
        self._profile.setUrlRequestInterceptor(self.interceptor)
        self._profile.downloadRequested.connect(self._refuse_download)
        self._page = Page(self._profile, None)
        self.bridge = Bridge(session, self._page)
        self._channel = QWebChannel(self._page)
        self._channel.registerObject("bridge", self.bridge)
        self._page.setWebChannel(self._channel)
        self._page.newWindowRequested.connect(self._refuse_window)
        self._page.urlChanged.connect(self._stay)
        settings = self._page.settings()
        for attribute in OFF:
            settings.setAttribute(attribute, False)
        self.setPage(self._page)
        self._paint_ground()
        theme().changed.connect(self._paint_ground)
        self._page.load(PAGE)

    def dispose(self) -> None:
        """Free the page and then its profile; the view cannot be used after that."""
        if Shiboken.isValid(self._page):
            theme().changed.disconnect(self._paint_ground)
            Shiboken.delete(self._page)
            Shiboken.delete(self._profile)

    def _paint_ground(self) -> None:
        """Give the page the colour that it will have, so that it does not flash."""
        self._page.setBackgroundColor(QColor(current().background))

    def _stay(self, url: QUrl) -> None:
        """Come back from an empty page: going there is the one thing the engine never asks about.

        Nothing is lost, since the page shows what the events say.
        """
        if url != PAGE:
            self._page.load(PAGE)

    def _refuse_download(self, request: QWebEngineDownloadRequest) -> None:
        request.cancel()

    def _refuse_window(self, request: QWebEngineNewWindowRequest) -> None:
        """A new window comes to be only where somebody makes a page for it."""
