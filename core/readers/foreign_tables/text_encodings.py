"""Text of a file in the encodings that spreadsheets write."""

from __future__ import annotations

import re
from pathlib import Path

from jurydesk.core.language import fill
from jurydesk.core.model.defects import Defect, Place, Reading, error, warning
from jurydesk.core.readers.text_file import MAX_BYTES, UTF8_MARK, read_unpacked

MARKS = ((UTF8_MARK, "utf-8"), (b"\xff\xfe", "utf-16-le"), (b"\xfe\xff", "utf-16-be"))
_CYRILLIC_WORD = re.compile(rb"[\xc0-\xff\xa8\xb8]{3,}")
"""Letters of Windows-1251; in Windows-1252 three such letters hardly follow one another."""


def read_any_text(path: Path) -> Reading[str]:
    """Read a text in UTF-8, UTF-16 or a code page of Windows, plain or compressed.

    A code page is guessed and reported. Problems of the path or the content become defects.
    """
    place = Place(str(path))
    raw = read_unpacked(path, MAX_BYTES)
    if isinstance(raw, Defect):
        return Reading(None, (raw,))
    if len(raw) > MAX_BYTES:
        found = fill("The file holds more than {value:,.0f} MiB of text.", MAX_BYTES / 2**20)
        return Reading(None, (error(place, found, "", "Check that it is the right file."),))
    if not raw.strip(b"\0 \t\r\n"):
        return Reading(None, (error(place, "The file is empty.", "", "Give the complete file."),))
    mark, encoding = next(((m, e) for m, e in MARKS if raw.startswith(m)), (b"", ""))
    if not encoding and b"\0" in raw[:4096]:
        encoding = _unmarked_utf16(raw)
        if not encoding:
            found = "The file is not text: it has bytes of zero."
            return Reading(None, (error(place, found, "", "Save the table as CSV in UTF-8."),))
    try:
        return Reading(raw[len(mark) :].decode(encoding or "utf-8"), ())
    except UnicodeDecodeError as fault:
        if encoding:
            found = fill("The text is not valid {encoding}.", encoding.upper())
            return Reading(None, (error(place, found, "", "Save the file as UTF-8."),))
        line = raw.count(b"\n", 0, fault.start) + 1
    page = "cp1251" if _CYRILLIC_WORD.search(raw) else "cp1252"
    found = fill("The text is not UTF-8; it was read as Windows-{number}.", page[2:])
    remark = warning(Place(str(path), line), found, "", "Save the file as UTF-8.")
    return Reading(raw.decode(page, "replace"), (remark,))


def _unmarked_utf16(raw: bytes) -> str:
    """Return the byte order of UTF-16 without a mark; empty if the text is none."""
    head = raw[:4096]
    even, odd = head[::2].count(0), head[1::2].count(0)
    half = len(head) // 4
    if odd > half > even:
        return "utf-16-le"
    return "utf-16-be" if even > half > odd else ""
