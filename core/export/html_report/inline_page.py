"""Common parts of self-contained HTML files, which load and send nothing.

Data are embedded as JSON that cannot end its script element; scripts and style are allowed by their
hashes only.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Sequence

from jurydesk.core.model.evaluation import Json

UNSAFE = re.compile("[<>&\x7f-\x9f\u2028\u2029\ud800-\udfff\ufeff]")
"""Characters that end a script or a line of one, that UTF-8 lacks, or that an editor drops."""


def content_security_policy(scripts: Sequence[str], style: str, images: str = "data:") -> str:
    """Return the content security policy that allows only these scripts and this style."""
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
    """Return the policy and the style for a page's head."""
    policy = content_security_policy(scripts, style)
    meta = f'<meta http-equiv="Content-Security-Policy" content="{policy}">'
    return f"{meta}\n<style>{style}</style>"


def data_element(name: str, value: Json) -> str:
    """Return a script element with data as JSON that cannot end the element."""
    return f'<script type="application/json" id="{name}">{script_safe_json(value)}</script>'


def script_elements(scripts: Sequence[str]) -> str:
    """Return the scripts as elements, in their order."""
    return "\n".join(f"<script>{script}</script>" for script in scripts)


def script_safe_json(value: Json) -> str:
    """Encode JSON that cannot end its script element or start a comment in it.

    Letters stay as they are: the pages are UTF-8, in which an escape takes three times the bytes.
    """
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return UNSAFE.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def _hash(text: str) -> str:
    digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
    return f"'sha256-{digest}'"
