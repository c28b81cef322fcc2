"""What downloads leave in place of a file of a model, and files that end too early."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import BinaryIO

from jurydesk.core.language import Message, fill, translatable
from jurydesk.core.model.evaluation import ResourceMissing

_LFS = b"version https://git-lfs.github.com/spec/"
_PAGE = re.compile(rb"\s*<(?:!doctype\s+html|html|head|\?xml)", re.IGNORECASE)
_PRINTED = re.compile(rb"[\t\n\r -~\x80-\xff]+")
_TEXT_STARTS = frozenset(b"{<" + bytes(range(ord("A"), ord("Z") + 1)))
"""First bytes of messages and JSON; text pickles of old PyTorch begin with small letters or (."""
_HEAD = 1 << 10
TEXT = translatable("is text, not weights")
CUT = translatable("is cut off: its end is missing")
AGAIN = "Download it again."

ENDING = ".safetensors"
_LENGTH = 8  # safetensors: bytes of the header's length, which the header and the tensors follow
_LONGEST_HEADER = 100_000_000  # safetensors refuses longer ones
_ZIP, _ZIP_END = b"PK\x03\x04", b"PK\x05\x06"
_ZIP_RECORD = 22  # ZIP: bytes of the record at the end; its last two are the length of a comment


def require_complete(path: Path, *, allows_text: bool = False) -> None:
    """Raise ResourceMissing for what downloads leave in place of a file of a model.

    These are empty files, Git LFS pointers, web pages, files that are cut off and, unless allowed,
    other text.
    """
    if not path.is_file():
        return
    with path.open("rb") as file:
        head = file.read(_HEAD)
        kind = _placeholder(head)
        if not kind and _is_cut(file, head, path.suffix == ENDING):
            kind = CUT
    if kind and not (allows_text and kind == TEXT):
        raise _unusable(path, kind)


def cut_file(path: Path) -> ResourceMissing:
    """Return the error for a file whose end is missing."""
    return _unusable(path, CUT)


def _unusable(path: Path, kind: str) -> ResourceMissing:
    return ResourceMissing(fill("{path} {kind}. {advice}", path, Message(kind), Message(AGAIN)))


def _placeholder(head: bytes) -> str:
    if not head:
        return translatable("is empty (0 bytes)")
    if head.startswith(_LFS):
        return translatable("is a Git LFS pointer, not the weights")
    if _PAGE.match(head):
        return translatable("is a web page, not weights")
    is_text = _PRINTED.fullmatch(head) and head[0] in _TEXT_STARTS
    return TEXT if is_text else ""


def _is_cut(file: BinaryIO, head: bytes, is_safetensors: bool) -> bool:
    """Return whether a safetensors or ZIP file ends before the end that it declares."""
    size = os.fstat(file.fileno()).st_size
    if is_safetensors:
        return size < _declared_size(file, size)
    if not head.startswith(_ZIP):
        return False
    file.seek(max(size - _ZIP_RECORD - 0xFFFF, 0))
    tail = file.read()
    record = tail[tail.rfind(_ZIP_END) :] if _ZIP_END in tail else b""
    comment = int.from_bytes(record[_ZIP_RECORD - 2 : _ZIP_RECORD], "little")
    return len(record) < _ZIP_RECORD + comment


def _declared_size(file: BinaryIO, size: int) -> int:
    """Return the size that the header of a safetensors file declares; 0 for another header."""
    file.seek(0)
    length = int.from_bytes(file.read(_LENGTH), "little")
    if not 0 < length <= _LONGEST_HEADER:
        return 0
    start = _LENGTH + length
    if start > size:
        return start
    try:
        tensors = json.loads(file.read(length))
        ends = [one["data_offsets"][1] for name, one in tensors.items() if name != "__metadata__"]
        return start + max((end for end in ends if type(end) is int), default=0)
    except (ValueError, RecursionError, LookupError, TypeError, AttributeError):
        return 0
