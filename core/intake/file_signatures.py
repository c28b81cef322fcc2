"""Detection of file types from their first bytes."""

from __future__ import annotations

import re
from fnmatch import fnmatch
from pathlib import Path
from typing import Literal

from jurydesk.core.competition.task import AnyTask
from jurydesk.core.desk.schema import APPLICATION_ID
from jurydesk.core.intake.program_outputs import advice_of, program_output
from jurydesk.core.language import Message, fill, translatable
from jurydesk.core.readers.text_file import UTF8_MARK, file_head, text_head

DESK = translatable("a desk of Jurydesk")

ITEMS = translatable("a table of items that Jurydesk wrote")
ITEMS_TASK = "table"
"""Competition that takes tables of items; others refuse them as their files."""
_OWN_FORMAT = re.compile(rb'\{\s*"format"\s*:\s*"jurydesk ([a-z ]{1,40})"')
_OWN_RESULT = re.compile(
    rb'\{\s*"schema"\s*:\s*\d+\s*,\s*"'
    rb'(short|jurydesk|task|system|errata|agreement|weights|devices|findings|fid|method)"'
)
_OWN_RESULTS = {
    b"short": translatable("a stamp that Jurydesk wrote"),
    b"jurydesk": translatable("the list of a job that Jurydesk wrote"),
}
_OWN_NAMES = (translatable("answers"), translatable("packet"), translatable("participant kit"))
"""Names in the formats of files, which are translated."""
_OWN_MANIFEST = re.compile(rb'\{\s*"title"\s*:\s*"(?:[^"\\]|\\.)*"\s*,\s*"task"\s*:\s*"')
_OWN_ITEM = re.compile(
    rb'(?:system,profile,item,|\{"system": "(?:[^"\\]|\\.)*", "profile": "[^"]*", "item": )'
)
_SQLITE, _APPLICATION_AT = b"SQLite format 3\0", slice(68, 72)
_TAR_AT, _TAR = slice(257, 262), b"ustar"
_PICKLE = re.compile(rb"\x80[\x02-\x05]")
PICKLE, TORCH_PICKLE, HDF5 = (
    translatable("a Python pickle"),
    translatable("a PyTorch file, which is a pickle"),
    translatable("an HDF5 file"),
)
ARRAYS = translatable("a zip archive of NumPy arrays (.npz)")
_FIRST_MEMBER = re.compile(rb"PK\x03\x04.{26}[^/\\\0]{1,100}?\.npy", re.DOTALL)
_UNREAD = {
    PICKLE: translatable(
        "Opening a pickle can run programs hidden in it, so Jurydesk does not. Where it was made: "
        "json.dump(pickle.load(open(NAME, 'rb')), open(NEW_NAME, 'w'))"
    ),
    TORCH_PICKLE: translatable(
        "Opening a pickle can run programs hidden in it, so Jurydesk does not. Where it was made: "
        "json.dump(torch.load(NAME), open(NEW_NAME, 'w'))"
    ),
    HDF5: translatable("Training data are not read: give the JSON file that it was made of."),
}
"""What to do with files that are never opened, by their type."""
_FOREIGN = (
    (b"%PDF-", translatable("a PDF document")),
    (b"PK\x03\x04", translatable("a zip archive or an office document")),
    (b"7z\xbc\xaf\x27\x1c", translatable("a 7z archive")),
    (b"Rar!\x1a\x07", translatable("a RAR archive")),
    (b"BZh", translatable("a bzip2 archive")),
    (b"\xfd7zXZ\0", translatable("an xz archive")),
    (b"\x28\xb5\x2f\xfd", translatable("a Zstandard archive")),
    (b"\x89PNG\r\n", translatable("a picture")),
    (b"\xff\xd8\xff", translatable("a picture")),
    (b"GIF8", translatable("a picture")),
    (b"\x89HDF\r\n", HDF5),
    (b"\x93NUMPY", translatable("an array of NumPy")),
    (b"\x7fELF", translatable("a program")),
    (
        b"version https://git-lfs.github.com/spec/",
        translatable("a Git LFS pointer in place of the file"),
    ),
)
_PAGE = re.compile(rb"<(?:!doctype\s+html|html)[\s>]", re.IGNORECASE)


def own_file_type(head: bytes) -> str:
    """Return the type of one of Jurydesk's own files (`a desk of Jurydesk`), else empty."""
    if head.startswith(_SQLITE):
        ours = head[_APPLICATION_AT] == APPLICATION_ID.to_bytes(4, "big")
        return DESK if ours else ""
    text = text_head(head).removeprefix(UTF8_MARK).lstrip()
    if named := _OWN_FORMAT.match(text):
        file = Message(named[1].decode())
        is_plural = file.endswith("s")
        return fill("{file} of Jurydesk" if is_plural else "a {file} of Jurydesk", file)
    if result := _OWN_RESULT.match(text):
        return _OWN_RESULTS.get(result[1], translatable("a result that Jurydesk wrote"))
    if _OWN_MANIFEST.match(text):
        return translatable("the list of files of one of Jurydesk's examples")
    return ITEMS if _OWN_ITEM.match(text) else ""


def foreign_file_type(head: bytes) -> str:
    """Return the type of a file that no competition takes; empty if unknown."""
    if head.startswith(_SQLITE):
        return translatable("an SQLite database")
    if _PICKLE.match(head):
        return PICKLE
    if head.startswith(b"PK\x03\x04") and b"/data.pkl" in head[:256]:
        return TORCH_PICKLE
    if _FIRST_MEMBER.match(head):
        return ARRAYS
    kind = next((what for magic, what in _FOREIGN if head.startswith(magic)), "")
    text = text_head(head)
    if not kind and text[_TAR_AT] == _TAR:
        return translatable("a tar archive")
    if not kind and _PAGE.match(text.lstrip()):
        return translatable("a web page")
    output = None if kind else program_output(text.removeprefix(UTF8_MARK))
    return output.kind if output else kind


def unread_advice(kind: str) -> str:
    """Return what to do with a file of a type that is not read; empty for other types."""
    return _UNREAD.get(kind) or advice_of(kind)


def is_archive_head(head: bytes) -> bool:
    """Return whether a file packs others, or is packed."""
    return "archive" in foreign_file_type(head)


Kind = Literal["submission", "maybe", "other"]
"""`maybe`: a submission by its name, with content that is not recognized."""

MIN_CONFIDENCE, CERTAIN = 0.5, 0.85
DOCUMENTS = ("readme*", "license*", "licence*", "copying*", "*.md", "*.pdf", "*.docx", "*.log")


def file_kind(task: AnyTask, path: Path) -> tuple[Kind, str]:
    """Return the kind of a file for a competition, and a sentence if it is another known file."""
    head = file_head(path)
    kind = own_file_type(head)
    if kind and not (kind == ITEMS and task.id == ITEMS_TASK):
        return "other", fill("This is {kind}, not a submission.", Message(kind))
    guess, wanted = task.readers.sniff(text_head(head)), task.submission_input()
    if guess is not None and guess.role == wanted.role and guess.confidence >= MIN_CONFIDENCE:
        return "submission", ""
    if guess is not None and guess.role != wanted.role and guess.confidence >= CERTAIN:
        label = next(one.label for one in task.inputs if one.role == guess.role)
        sentence = fill(
            "It looks like a shared file of the competition ({label}), not a submission.",
            Message(label),
        )
        return "other", sentence
    name = path.name.lower()
    if is_document(path):
        return "other", ""
    patterns = [pattern for pattern in wanted.patterns if pattern != "*"]
    return ("maybe" if any(fnmatch(name, pattern) for pattern in patterns) else "other"), ""


def is_document(path: Path) -> bool:
    """Return whether the name is that of a document, such as a readme."""
    return any(fnmatch(path.name.lower(), pattern) for pattern in DOCUMENTS)
