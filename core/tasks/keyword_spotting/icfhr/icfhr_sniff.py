"""Detection of ICFHR 2014 XML files from their first bytes."""

from __future__ import annotations

import re
from typing import Literal

from jurydesk.core.readers.text_file import UTF8_MARK, UTF16_MARKS, text_head
from jurydesk.core.tasks.keyword_spotting.icfhr.word_rules import RELEVANCE_ROOT, RESULTS_ROOT

Role = Literal["relevance", "results"]

_ROLES: dict[str, Role] = {RELEVANCE_ROOT: "relevance", RESULTS_ROOT: "results"}
_PREAMBLE = re.compile(r"\s+|<\?.*?\?>|<!--.*?-->|<!DOCTYPE[^\[>]*(?:\[.*?\]\s*)?>", re.DOTALL)
"""Constructs allowed before the root, matched one by one at their position."""
_ROOT = re.compile(r"<([A-Za-z]+)[\s/>]")


def looks_like_xml(head: bytes) -> bool:
    """Return whether `head`, a file's first bytes (gzipped or not), looks like XML."""
    return _text(head).lstrip().startswith("<")


def sniff_icfhr(head: bytes) -> Role | None:
    """Return which of the two files begins with `head` (compressed or not); None for neither."""
    text, at = _text(head), 0
    while before := _PREAMBLE.match(text, at):
        at = before.end()
    root = _ROOT.match(text, at)
    return _ROLES.get(root[1]) if root else None


def _text(head: bytes) -> str:
    plain = text_head(head)
    if plain.startswith(UTF16_MARKS):
        return plain.decode("utf-16", errors="replace")
    return plain.removeprefix(UTF8_MARK).decode("utf-8", errors="replace")
