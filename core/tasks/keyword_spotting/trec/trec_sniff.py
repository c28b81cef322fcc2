"""Detection of qrels and run files from their first lines."""

from __future__ import annotations

import re
from codecs import getincrementaldecoder
from collections.abc import Iterator
from typing import Literal

from jurydesk.core.language import reason
from jurydesk.core.model.defects import Defect, Place, error
from jurydesk.core.readers.text_file import UTF8_MARK, UTF16_MARKS, text_head

Role = Literal["relevance", "results"]
ROLES: tuple[Role, Role] = ("relevance", "results")
HEAD = 2**12
"""Bytes at the start of a file that decide on its layout."""
LOOKED_AT = 20
"""Lines from the top that must agree."""

_CONTENT = re.compile(rb"\S")
_NUMBER_FIELD = {"relevance": 3, "results": 4}


def sniff_trec(head: bytes) -> Role | None:
    """Return which trec_eval file begins with `head` (gzipped or not); None for neither."""
    text = text_head(head).removeprefix(UTF8_MARK)
    if b"\0" in text or text.lstrip().startswith((b"<", b"{", b"[")):
        return None
    return next((role for role in ROLES if is_role(text, role)), None)


def has_whole_grade(head: bytes) -> bool:
    """Return whether any judgement of a file is a whole number: others may be scores."""
    lines = _content(text_head(head).removeprefix(UTF8_MARK))
    return any(float(fields[_NUMBER_FIELD["relevance"]]).is_integer() for _, fields in lines)


def wrong_file_defect(data: bytes, role: Role, path: str) -> Defect | None:
    """Return the defect of a binary file or a swapped qrels and run file; None otherwise.

    `data` are its first lines or all of them, unpacked and without byte order mark.
    """
    head = data[:HEAD]
    fault = _explain_no_lines(data) or _other_format(head, role)
    if fault:
        return error(Place(path, 1), *fault)
    if not is_role(head, "relevance" if role == "results" else "results"):
        return None
    line = next(number for number, _ in _content(head))
    if role == "results":
        found = "This looks like a relevance file (4 fields on each line), not like results."
        hint = reason("Were the two files swapped? This one belongs after --relevance.")
    else:
        found = "This looks like results (6 fields on each line), not like a relevance file."
        hint = reason("Were the two files swapped? This one belongs after --results.")
    return error(Place(path, line), found, "", hint)


def _explain_no_lines(data: bytes) -> tuple[str, str, str] | None:
    """Return what was found instead of text lines, what is expected, and a hint."""
    if not _CONTENT.search(data):
        return "The file is empty.", "", "Give the complete file."
    if data.startswith(UTF16_MARKS):
        return "The text is UTF-16.", "UTF-8 is expected.", "Save the file as UTF-8."
    head = data[:HEAD]
    if b"\0" in head and not _is_utf8(head):
        return "This is not text.", "Lines of text are expected.", "Give the right file."
    if b"\n" not in head and b"\r" in head.rstrip(b"\r"):
        found = "The lines end with CR alone, so that all of them are one."
        return found, "LF or CR and LF end a line.", "Save the file with such line ends."
    return None


def _is_utf8(head: bytes) -> bool:
    """Return whether `head` is UTF-8, except for a character cut at its end."""
    try:
        getincrementaldecoder("utf-8")().decode(head)
    except UnicodeDecodeError:
        return False
    return True


def _other_format(head: bytes, role: Role) -> tuple[str, str, str] | None:
    start = head.lstrip()
    if start.startswith(b"<"):
        return (
            "This is XML, not a file in trec_eval's format.",
            "The relevance file and the results must have the same format.",
            "Give both as ICFHR 2014 XML, or both in trec_eval's format.",
        )
    if start.startswith((b"{", b"[")) and not is_role(head, role):
        found = "This looks like JSON, not like a file in trec_eval's format."
        return found, "Every line has fields that blanks or tabs separate.", "Write such lines."
    return None


def is_role(text: bytes, role: Role) -> bool:
    """Return whether there are first lines, and all of them are those of this file."""
    lines = list(_content(text))
    return bool(lines) and all(_is_line(fields, role) for _, fields in lines)


def _content(text: bytes) -> Iterator[tuple[int, list[bytes]]]:
    """Yield the first lines that are neither blank nor comments; a line cut short is left out."""
    lines = text.split(b"\n")
    complete = lines[:-1] if len(lines) > 1 else lines
    found = 0
    for number, line in enumerate(complete, 1):
        fields = line.split()
        if fields and not fields[0].startswith(b"#"):
            yield number, fields
            found += 1
            if found == LOOKED_AT:
                return


def _is_line(fields: list[bytes], role: Role) -> bool:
    if (role == "relevance" and len(fields) != 4) or (role == "results" and len(fields) < 6):
        return False
    try:
        float(fields[_NUMBER_FIELD[role]])
    except ValueError:
        return False
    return True
