"""Safe, portable paths from names of archive members."""

from __future__ import annotations

import re
import unicodedata

from jurydesk.core.language import fill

MAX_DEPTH = 32
MAX_PART_BYTES = 200
"""Limit on the bytes of a path part; file systems allow 255."""

_FORBIDDEN = re.compile(r'[<>:"|?*\u200e\u200f\u202a-\u202e\u2066-\u2069]')
"""Characters refused by Windows, and direction controls, which can disguise a name."""
_DEVICES = frozenset(
    ("con", "prn", "aux", "nul", *(f"{name}{n}" for name in ("com", "lpt") for n in range(1, 10)))
)

Parts = tuple[str, ...]


def unsafe_reason(name: str) -> str:
    """Return why a member must not be unpacked under its name; empty if it may."""
    if "\0" in name or any(unicodedata.category(letter) in ("Cc", "Cs") for letter in name):
        return "Its name contains control characters."
    slashed = name.replace("\\", "/")
    if slashed.startswith("/") or re.match(r"[A-Za-z]:", slashed):
        return "Its name is an absolute path."
    parts = [part for part in slashed.split("/") if part not in ("", ".")]
    if ".." in parts:
        return "Its name leads out of the archive (..)."
    if not parts:
        return "It has no name."
    if len(parts) > MAX_DEPTH:
        return fill("It is more than {max_depth} folders deep.", MAX_DEPTH)
    if any(len(part.encode()) > MAX_PART_BYTES for part in parts):
        return fill("Its name is longer than {max_part_bytes} bytes.", MAX_PART_BYTES)
    return ""


def safe_parts(name: str) -> Parts:
    """Return the path of a safe member in a form that every file system supports."""
    parts = name.replace("\\", "/").split("/")
    return tuple(portable_part(part) for part in parts if part not in ("", "."))


def portable_part(part: str) -> str:
    """Return a path part without characters that Windows or macOS refuse or change."""
    text = _FORBIDDEN.sub("_", unicodedata.normalize("NFC", part)).rstrip(" .")
    return f"_{text}" if text.split(".")[0].casefold() in _DEVICES or not text else text


def is_system_file(parts: Parts) -> bool:
    """Return whether a file is created by an operating system: `__MACOSX`, hidden files."""
    known = ("__macosx", "thumbs.db", "desktop.ini")
    return any(part.startswith(".") or part.casefold() in known for part in parts)
