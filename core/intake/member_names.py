"""Names of an archive's members whose encoding the archive does not declare."""

from __future__ import annotations

import re
import struct
import zipfile
import zlib

_UNICODE_PATH = 0x7075
"""Extra field of Info-ZIP with the name in UTF-8 and the checksum of that in the header."""
_MIXED = re.compile(r"[A-Za-z][^\W\d_A-Za-z]|[^\W\d_A-Za-z][A-Za-z]")

FIRST_LETTER, LAST_LETTER, BESIDE_LETTERS = "\u0401", "\u045e", "\u2116\xa0"
"""Cyrillic letters of page 866, Ukrainian and Belarusian ones too; numero sign and hard space."""


def member_name(member: zipfile.ZipInfo) -> tuple[str, bool]:
    """Return the member's name, and whether its encoding was guessed.

    UTF-8 is found without its flag. Else Russian systems pack in code page 866, others in 437.
    """
    if member.flag_bits & 0x800:
        return member.filename, False
    try:
        raw = member.filename.encode("cp437")
    except UnicodeEncodeError:  # Python took it from the extra field
        return member.filename, False
    if unicode_path := _unicode_path(member.extra, raw):
        return unicode_path, False
    try:
        return raw.decode("utf-8"), False
    except UnicodeDecodeError:
        return (raw.decode("cp866") if _is_russian(raw) else member.filename), True


def _unicode_path(extra: bytes, raw: bytes) -> str:
    position = 0
    while position + 4 <= len(extra):
        kind, size = struct.unpack_from("<HH", extra, position)
        body = extra[position + 4 : position + 4 + size]
        if kind == _UNICODE_PATH and len(body) > 5 and body[0] == 1:
            if struct.unpack_from("<L", body, 1)[0] != zlib.crc32(raw):
                return ""  # the header was renamed since
            return body[5:].decode("utf-8", "replace")
        position += 4 + size
    return ""


def _is_russian(raw: bytes) -> bool:
    """Return whether a name has Cyrillic words in page 866; in page 437 letters are mixed."""
    text = raw.decode("cp866")
    letters = sum(FIRST_LETTER <= one <= LAST_LETTER for one in text)
    others = sum(ord(one) > 127 and one not in BESIDE_LETTERS for one in text) - letters
    return letters > 1 and not others and not _MIXED.search(text)
