"""What every HTML file of the program shares: it loads nothing, sends nothing, and runs its own.

Data stand in it as JSON that cannot end its script element; scripts and style are admitted by
their hashes alone.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Sequence

from jurydesk.core.model.evaluation import Json


def content_security_policy(scripts: Sequence[str], style: str, images: str = "data:") -> str:
    """The content security policy of a page with these scripts and this style, and no others."""
    return "; ".join(
        (
            "default-src 'none'",
            f"script-src {' '.join(map(_hash, scripts))}",
            f"style-src {_hash(style)}",
            f"img-src {images}",
            "base-uri 'none'",
            "form-action 'none'",
        )
    )


def page_head(scripts: Sequence[str], style: str) -> str:
    """The policy and the style, as a page's head has them."""
    policy = content_security_policy(scripts, style)
    meta = f'<meta http-equiv="Content-Security-Policy" content="{policy}">'
    return f"{meta}\n<style>{style}</style>"


def data_element(name: str, value: Json) -> str:
    """An element that holds data by its id, and that no text in it can end."""
    return f'<script type="application/json" id="{name}">{script_safe_json(value)}</script>'


def script_elements(scripts: Sequence[str]) -> str:
    """The scripts in their order."""
    return "\n".join(f"<script>{script}</script>" for script in scripts)


def script_safe_json(value: Json) -> str:
    """JSON that cannot end the script element it stands in, nor begin a comment there."""
    text = json.dumps(value, ensure_ascii=True, separators=(",", ":"), allow_nan=False)
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def _hash(text: str) -> str:
    digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
    return f"'sha256-{digest}'"
