"""Page of a certificate, which contains it and checks its signature in a browser.

It loads and sends nothing. `core.sealed.certificate` reads the certificate in it as any other.
"""

from __future__ import annotations

from collections.abc import Sequence

from jurydesk.core.export.html_report.inline_page import (
    data_element,
    page_head,
    script_elements,
)
from jurydesk.core.language import LANGUAGES, current_language
from jurydesk.core.language.page_catalogue import language_script, page_catalogue
from jurydesk.core.model.evaluation import Json
from jurydesk.core.model.json_text import parse_json
from jurydesk.core.sealed.certificate import ELEMENT
from jurydesk.core.system.paths import resources_folder

PAGE_SCRIPT, BOARD_SCRIPT = "certificate.js", "board.js"
SIGNED_SCRIPTS = "ed25519.js", "signed.js"
"""Scripts that check signatures, in the order of their use."""
PAGE, STYLE = "certificate.html", "sealed.css"


def sealed_page_part(name: str) -> str:
    """Return the text of one file of the pages of certificates."""
    return (resources_folder() / "web" / "sealed" / name).read_text(encoding="utf-8")


def certificate_page(certificate: bytes) -> bytes:
    """Return the page of a certificate (JSON); a button shows it in the other language."""
    return _page(parse_json(certificate), current_language())


def is_own_page(content: bytes, certificate: Json) -> bool:
    """Return whether a page is, letter by letter, the one that this version makes of a document."""
    return any(content == _page(certificate, language) for language in LANGUAGES)


def _page(certificate: Json, language: str) -> bytes:
    scripts = [language_script(), *map(sealed_page_part, (*SIGNED_SCRIPTS, PAGE_SCRIPT))]
    page = sealed_page_part(PAGE)
    data: Json = {"language": language, "languages": _languages([page, *scripts])}
    body = [
        data_element(ELEMENT, certificate),
        data_element("page", data),
        script_elements(scripts),
    ]
    text = page.replace("<!--head-->", page_head(scripts, sealed_page_part(STYLE)))
    return text.replace("<!--scripts-->", "\n".join(body)).encode("utf-8", "replace")


def _languages(parts: Sequence[str]) -> Json:
    source = "\n".join(parts)
    return {code: page_catalogue(code, source) for code in LANGUAGES}
