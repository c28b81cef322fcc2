"""Names of archive members made into paths that stay where they belong, on every system."""

from __future__ import annotations

import re
import unicodedata

DEEPEST = 32
LONGEST = 200
"""Bytes of one part of a path; file systems take 255."""

_FORBIDDEN = re.compile(r'[<>:"|?*\u200e\u200f\u202a-\u202e\u2066-\u2069]')
"""Besides what Windows refuses, what turns the direction of writing and disguises a name."""
_DEVICES = frozenset(
    ("con", "prn", "aux", "nul", *(f"{name}{n}" for name in ("com", "lpt") for n in range(1, 10)))
)

Parts = tuple[str, ...]


def unsafe_reason(name: str) -> str:
    """Why a member must not be unpacked under its name; empty where it may."""
    if "\0" in name or any(unicodedata.category(letter) in ("Cc", "Cs") for letter in name):
        return "Its name holds control characters."
    slashed = name.replace("\\", "/")
    if slashed.startswith("/") or re.match(r"[A-Za-z]:", slashed):
        return "Its name is an absolute path."
    parts = [part for part in slashed.split("/") if part not in ("", ".")]
    if ".." in parts:
        return "Its name leads out of the archive (..)."
    if not parts:
        return "It has no name."
    if len(parts) > DEEPEST:
        return f"It lies more than {DEEPEST} folders deep."
    if any(len(part.encode()) > LONGEST for part in parts):
        return f"Its name is longer than {LONGEST} bytes."
    return ""


def safe_parts(name: str) -> Parts:
    """Return the path of a safe member as every file system can hold it."""
    parts = name.replace("\\", "/").split("/")
    return tuple(portable_part(part) for part in parts if part not in ("", "."))


def portable_part(part: str) -> str:
    """One part of a path without what Windows or macOS refuse or change."""
    text = _FORBIDDEN.sub("_", unicodedata.normalize("NFC", part)).rstrip(" .")
    return f"_{text}" if text.split(".")[0].casefold() in _DEVICES or not text else text


def is_system_file(parts: Parts) -> bool:
    """Whether it is what systems leave behind: `__MACOSX`, `.DS_Store`, hidden files."""
    known = ("__macosx", "thumbs.db", "desktop.ini")
    return any(part.startswith(".") or part.casefold() in known for part in parts)
