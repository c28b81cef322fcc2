"""URL scheme of the rating page, which serves a closed list of files without a network.

The scheme must be registered before the web engine starts: importers of this module call
`register_scheme`; the rating program does so before it creates the application.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from PySide6.QtCore import QBuffer, QByteArray, QFile, QIODevice, QObject, QUrl
from PySide6.QtWebEngineCore import (
    QWebEngineUrlRequestInfo,
    QWebEngineUrlRequestInterceptor,
    QWebEngineUrlRequestJob,
    QWebEngineUrlScheme,
    QWebEngineUrlSchemeHandler,
)

from jurydesk.core.human_evaluation.answers.rating_session import PHOTOS
from jurydesk.core.human_evaluation.packets import rating_page
from jurydesk.core.language.page_catalogue import language_script

NAME = b"jurydesk"
HOST = "rating"
PAGE = QUrl(f"{NAME.decode()}://{HOST}/page.html")

POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self'",
        "connect-src 'none'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
    )
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
}

HEAD = '<link rel="stylesheet" href="rating.css">'
SCRIPTS = ("qwebchannel.js", "language.js", "rating.js", "bridge.js")
TYPES = {"html": b"text/html", "css": b"text/css", "js": b"text/javascript", "jpg": b"image/jpeg"}


@cache
def register_scheme() -> None:
    """Register the scheme with the web engine; further calls do nothing."""
    scheme = QWebEngineUrlScheme(NAME)
    scheme.setSyntax(QWebEngineUrlScheme.Syntax.Host)
    scheme.setFlags(QWebEngineUrlScheme.Flag.SecureScheme)
    QWebEngineUrlScheme.registerScheme(scheme)


def page_files() -> dict[str, bytes]:
    """Return the files of the page by the paths under which they are served."""
    tags = "\n".join(f'<script src="{name}"></script>' for name in SCRIPTS)
    served = {
        "/page.html": rating_page.rating_page(HEAD, tags),
        "/rating.css": rating_page.rating_page_part("rating.css"),
    }
    served |= {f"/{name}": rating_page.rating_page_part(name) for name in SCRIPTS[2:]}
    served["/language.js"] = language_script()
    return {
        "/qwebchannel.js": _read_qt_file(":/qtwebchannel/qwebchannel.js"),
        **{path: text.encode() for path, text in served.items()},
    }


def _read_qt_file(name: str) -> bytes:
    import PySide6.QtWebChannel  # noqa: F401 - brings the file

    file = QFile(name)
    if not file.open(QIODevice.OpenModeFlag.ReadOnly):
        raise RuntimeError(f"Qt lacks {name}")
    return bytes(file.readAll().data())


class SchemeHandler(QWebEngineUrlSchemeHandler):
    """Serves only the page's files and the packet's photos.

    `photo` returns the bytes of a photo by name, or raises KeyError.
    """

    def __init__(self, photo: Callable[[str], bytes], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._files = page_files()
        self._photo = photo

    def requestStarted(self, job: QWebEngineUrlRequestJob) -> None:
        url = job.requestUrl()
        if job.requestMethod() != b"GET":
            job.fail(QWebEngineUrlRequestJob.Error.RequestDenied)
            return
        content = self.content(url)
        if content is None:
            job.fail(QWebEngineUrlRequestJob.Error.UrlNotFound)
            return
        buffer = QBuffer(job)
        buffer.setData(content)
        buffer.open(QIODevice.OpenModeFlag.ReadOnly)
        headers = {QByteArray(k.encode()): [QByteArray(v.encode())] for k, v in HEADERS.items()}
        # The stubs know no multimap, whose values are lists.
        job.setAdditionalResponseHeaders(headers)  # type: ignore[arg-type]
        job.reply(TYPES[url.path().rpartition(".")[2]], buffer)

    def content(self, url: QUrl) -> bytes | None:
        """Return the content at an address, or None."""
        path = url.path()
        if url.host() != HOST or url.hasQuery():
            return None
        if not path.startswith(PHOTOS) or not path.endswith(".jpg"):
            return self._files.get(path)
        try:
            return self._photo(path.removeprefix(PHOTOS).removesuffix(".jpg"))
        except KeyError:
            return None


class RequestInterceptor(QWebEngineUrlRequestInterceptor):
    """Blocks all requests to other addresses than the page's, and lists them in `blocked`."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.blocked: list[str] = []

    def interceptRequest(self, info: QWebEngineUrlRequestInfo) -> None:
        url = info.requestUrl()
        if url.scheme().encode() != NAME or url.host() != HOST:
            self.blocked.append(url.toString())
            info.block(True)
