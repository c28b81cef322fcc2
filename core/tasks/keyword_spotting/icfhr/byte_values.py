"""Limits of the fast result-file reader, and the exception for files beyond them."""

from __future__ import annotations

import re

MAX_NAME_BYTES = 64
MAX_DOCUMENTS = 100_000

_PLAIN = re.compile(r"[^\x00-\x1f<&\"\ufffe\uffff]+")


class UnusualError(Exception):
    """Error of a file beyond the fast reader's subset of XML; use the strict reader."""


def plain_text(raw: bytes) -> str:
    """Return the text of an attribute that needs no interpretation; raises `UnusualError`."""
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError as fault:
        raise UnusualError("not UTF-8") from fault
    if not _PLAIN.fullmatch(text):
        raise UnusualError("characters to interpret")
    return text
