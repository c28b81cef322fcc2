"""The rating page: its parts for the program, and a packet as one file for any browser."""

from __future__ import annotations

import base64
import hashlib
import json
from pathlib import Path

from core.model import Json
from core.paths import resources
from core.rating.packet import Content

SCRIPTS = ("rating.js", "sitting.js", "sha256.js", "offline.js")
STYLE = "rating.css"


def part(name: str) -> str:
    """The text of one file of the page."""
    return (_folder() / name).read_text(encoding="utf-8")


def _folder() -> Path:
    return resources() / "web" / "rating"


def page(head: str, scripts: str) -> str:
    """The page with what goes into its head and at its end."""
    return part("page.html").replace("<!--head-->", head).replace("<!--scripts-->", scripts)


def page_bytes(content: Content) -> bytes:
    """A packet as one HTML file that needs nothing else: no network, no other file.

    Its content security policy admits these scripts and this style by their hashes, and pictures
    that are written in the file; nothing can be loaded from elsewhere, or sent.
    """
    style = part(STYLE)
    scripts = [part(name) for name in SCRIPTS]
    policy = "; ".join(
        (
            "default-src 'none'",
            f"script-src {' '.join(map(_hash, scripts))}",
            f"style-src {_hash(style)}",
            "img-src data:",
            "base-uri 'none'",
            "form-action 'none'",
        )
    )
    head = f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n<style>{style}</style>'
    data = f'<script type="application/json" id="packet">{harmless(_data(content))}</script>'
    tail = "\n".join(f"<script>{script}</script>" for script in scripts)
    return page(head, f"{data}\n{tail}").encode("utf-8", "replace")


def _hash(text: str) -> str:
    digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
    return f"'sha256-{digest}'"


def _data(content: Content) -> Json:
    return {
        "sha256": content.sha256,
        "rater": content.rater,
        "questionnaire": content.questionnaire.to_json(),
        "items": [item.to_json() for item in content.items],
        "photos": {
            name: base64.b64encode(content.photos[name]).decode() for name in content.photos
        },
    }


def harmless(value: Json) -> str:
    """JSON that cannot end the script element it stands in, nor begin a comment there."""
    text = json.dumps(value, ensure_ascii=True, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")
