"""Rating page: its files for the program, and a packet as one HTML file for any browser."""

from __future__ import annotations

import base64
from pathlib import Path

from jurydesk.core.export.html_report.inline_page import data_element, page_head, script_elements
from jurydesk.core.human_evaluation.packets.packet import PacketContent
from jurydesk.core.language.page_catalogue import language_script, page_catalogue
from jurydesk.core.model.evaluation import Json
from jurydesk.core.system.paths import resources_folder

SCRIPTS = ("rating.js", "rater_state.js", "sha256.js", "offline.js")
STYLE = "rating.css"


def rating_page_part(name: str) -> str:
    """Return the text of one file of the page."""
    return (_folder() / name).read_text(encoding="utf-8")


def _folder() -> Path:
    return resources_folder() / "web" / "rating"


def rating_page(top: str, scripts: str) -> str:
    """Return the page with content for its head and its end."""
    return (
        rating_page_part("page.html").replace("<!--head-->", top).replace("<!--scripts-->", scripts)
    )


def rating_page_bytes(content: PacketContent) -> bytes:
    """Return a packet as one self-contained HTML file.

    Its content security policy allows these scripts and this style by hash, and embedded pictures;
    nothing else can be loaded or sent.
    """
    scripts = [language_script(), *(rating_page_part(name) for name in SCRIPTS)]
    data = data_element("packet", _data(content))
    tail = script_elements(scripts)
    return rating_page(page_head(scripts, rating_page_part(STYLE)), f"{data}\n{tail}").encode(
        "utf-8", "replace"
    )


def rating_catalogue(code: str) -> Json:
    """Return the sentences of the page in a language."""
    source = "".join(map(rating_page_part, ("page.html", *SCRIPTS)))
    return page_catalogue(code, source)


def _data(content: PacketContent) -> Json:
    return {
        "sha256": content.sha256,
        "rater": content.rater,
        "key": content.key,
        "questionnaire": content.questionnaire.to_json(),
        "words": content.words,
        "language": rating_catalogue(content.language),
        "items": [item.to_json() for item in content.items],
        "photos": {
            name: base64.b64encode(content.photos[name]).decode() for name in content.photos
        },
    }
