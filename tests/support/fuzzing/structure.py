"""Structural changes of files: of the tree, the table or the archive that they contain.

Unlike `support.files.mutations`, which exchanges values and bytes, a change keeps a file's form and
breaks what follows from it: it moves and copies subtrees, repeats keys, nests, stretches numbers
and texts, exchanges columns, and alters members of archives by their own kind.
"""

from __future__ import annotations

import copy
import gzip
import io
import json
import random
import re
import struct
import zipfile
from collections.abc import Callable
from typing import Any

from jurydesk.core.model.decoding import DAMAGE

NUMBERS = (
    *("-1", "0", "1e400", "-1e400", "9" * 400, "1" + "0" * 5000, "-0.0", "1e-320", "0x1", "٣"),
    *("NaN", "-Infinity", "1_000", "2147483648", "18446744073709551616", "1,5", "1.5.2", ""),
)
TEXTS = (
    *("", "\0", "\x1b[2J", "\u202e", "\ufeff", "a" * 70_000, "../../etc/passwd", "C:\\x", "NUL"),
    *(
        "//host/share/x",
        "é",
        "e\u0301",
        "<script>",
        "%s%n",
        "{0}",
        "=1+1",
        "\ud83d",
        "\n",
        "\x85",
    ),
)
VALUES: tuple[Any, ...] = (
    None,
    True,
    0,
    -7,
    1.5,
    10**40,
    1e308,
    *TEXTS[:10],
    [],
    {},
    [[]],
    {"": None},
    [None] * 300,
)
EXTREMES = (0, 1, 0x7F, 0xFF, 0x7FFF, 0xFFFF, 0x7FFFFFFF, 0xFFFFFFFF, 0x8000000000000000)
NUMBER = re.compile(rb"-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?")
PARTS = re.compile(rb"[\t ,;<>=\"']")


LARGEST = 64 << 20
"""Size of a file in bytes beyond which the memory that it needs says nothing of its reader."""


def changed(content: bytes, dice: random.Random) -> bytes:
    """Return a file with one to three changes of the kind that its content has."""
    for _ in range(dice.choice((1, 1, 2, 3))):
        made = _change(content, dice)
        content = made if len(made) <= LARGEST else content
    return content


def _change(content: bytes, dice: random.Random) -> bytes:
    if content.startswith(b"PK\x03\x04"):
        return changed_archive(content, dice)
    if content.startswith(b"\x1f\x8b") and dice.random() < 0.7:
        try:
            return gzip.compress(_change(gzip.decompress(content), dice), 1)
        except (OSError, *DAMAGE):
            return changed_bytes(content, dice)
    if content[:1] in b"[{" and dice.random() < 0.85:
        try:
            return changed_json(content, dice)
        except (ValueError, RecursionError):
            pass  # a text that is no JSON, or no longer
    if b"\0" in content[:512]:
        return changed_bytes(content, dice)
    return changed_lines(content, dice)


def changed_json(content: bytes, dice: random.Random) -> bytes:
    """Return a JSON document, or lines of them, with another tree."""
    try:
        tree = json.loads(content)
    except ValueError:
        lines = content.split(b"\n")
        place = dice.randrange(len(lines))
        lines[place] = changed_json(lines[place], dice)
        return b"\n".join(lines)
    box = [tree]
    holder, key = _place(box, dice)
    other, elsewhere = _place(box, dice)
    act = dice.randrange(9)
    if act == 0:
        holder[key] = copy.deepcopy(dice.choice(VALUES))
    elif act == 1:
        holder[key] = copy.deepcopy(other[elsewhere])
    elif act == 2:
        holder[key] = [holder[key]] if dice.random() < 0.5 else {"a": holder[key]}
    elif act == 3 and holder is not box:
        del holder[key]
    elif act == 4 and isinstance(holder, list) and len(json.dumps(holder)) < 50_000:
        holder *= dice.choice((2, 40))
    elif act == 5 and isinstance(holder, dict):
        holder[dice.choice(TEXTS)] = holder[key] if dice.random() < 0.5 else holder.pop(key)
    elif act == 6:
        return _numbers_changed(content, dice)
    elif act == 7:
        return _repeated_key(content, dice)
    else:
        deep = dice.choice((50, 990, 60_000))
        text, mark = json.dumps(box[0]), json.dumps(holder[key])
        return text.replace(mark, "[" * deep + mark + "]" * deep, 1).encode("utf-8", "replace")
    layout = dice.choice((None, 1))
    text = json.dumps(box[0], ensure_ascii=dice.random() < 0.5, indent=layout)
    return text.encode("utf-8", "surrogatepass")


def _place(box: list[Any], dice: random.Random) -> tuple[Any, Any]:
    """Return a container of a tree and a key of it."""
    holder: Any = box
    key: Any = 0
    while isinstance(holder[key], list | dict) and holder[key] and dice.random() < 0.85:
        holder = holder[key]
        key = dice.choice(list(holder)) if isinstance(holder, dict) else dice.randrange(len(holder))
    return holder, key


def _numbers_changed(content: bytes, dice: random.Random) -> bytes:
    """Return a text with another spelling of one number, valid or not."""
    found = list(NUMBER.finditer(content[:200_000]))
    if not found:
        return content
    one = dice.choice(found)
    return content[: one.start()] + dice.choice(NUMBERS).encode() + content[one.end() :]


def _repeated_key(content: bytes, dice: random.Random) -> bytes:
    """Return a document in which the name of one member is that of another."""
    found = list(re.finditer(rb'"[^"\\]*"(?=\s*:)', content[:200_000]))
    if len(found) < 2:
        return content
    one, other = dice.sample(found, 2)
    return content[: one.start()] + other[0] + content[one.end() :]


def changed_lines(content: bytes, dice: random.Random) -> bytes:
    """Return a text with other lines, columns, tags, ends or encoding."""
    lines = content.split(b"\n")
    place = dice.randrange(len(lines))
    act = dice.randrange(9)
    if act == 0:
        lines[place], lines[0] = lines[0], lines[place]
    elif act == 1:
        lines[place:place] = [lines[place]] * dice.choice((1, 3, 2000))
    elif act == 2:
        del lines[place : place + dice.choice((1, 3))]
    elif act == 3:
        parts = PARTS.split(lines[place])
        lines[place] = dice.choice((b"\t", b" ", b",")).join(dice.sample(parts, len(parts)))
    elif act == 4:
        parts = PARTS.split(lines[place])
        old, new = dice.choice(parts), dice.choice(TEXTS).encode("utf-8", "surrogatepass")
        lines[place] = lines[place].replace(old, new, 1)
    elif act == 5:
        return _numbers_changed(content, dice)
    elif act == 6:
        text = content.decode("utf-8", "replace")
        return text.encode(dice.choice(("utf-16", "utf-16-be", "utf-32", "cp1251")), "replace")
    elif act == 7:
        return content.replace(b"\n", dice.choice((b"\r", b"\r\n", b"\n\r", b"\x85", b"\v")))
    else:
        return changed_bytes(content, dice)
    return b"\n".join(lines)


def changed_bytes(content: bytes, dice: random.Random) -> bytes:
    """Return a file with an extreme number, a flipped bit, a cut, a gap or a repeated part."""
    if not content:
        return bytes([dice.randrange(256)])
    place = (
        dice.randrange(len(content))
        if dice.random() < 0.5
        else dice.randrange(min(200, len(content)))
    )
    act = dice.randrange(5)
    if act == 0:
        size, extreme = dice.choice((1, 2, 4, 8)), dice.choice(EXTREMES)
        order = dice.choice("<>")
        number = struct.pack(f"{order}Q", extreme)
        number = number[:size] if order == "<" else number[-size:]
        return content[:place] + number + content[place + size :]
    if act == 1:
        return (
            content[:place]
            + bytes([content[place] ^ 1 << dice.randrange(8)])
            + content[place + 1 :]
        )
    if act == 2:
        return content[:place]
    if act == 3:
        return content[:place] + content[place + dice.choice((1, 16, 512)) :]
    return content[:place] + content[place : place + 64] * 2 + content[place + 64 :]


def changed_archive(
    content: bytes, dice: random.Random, change: Callable[[bytes, random.Random], bytes] = _change
) -> bytes:
    """Return a zip with a changed, renamed, missing or repeated member, or with other bytes."""
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            members = [
                (one.filename, archive.read(one), one.compress_type) for one in archive.infolist()
            ]
    except (OSError, *DAMAGE):
        return changed_bytes(content, dice)
    if not members or dice.random() < 0.15:
        return changed_bytes(content, dice)
    place = dice.randrange(len(members))
    name, data, kind = members[place]
    act = dice.randrange(10)
    if act < 6:
        members[place] = name, change(data, dice), kind
    elif act == 6:
        members[place] = dice.choice(TEXTS).replace("\ud83d", "x")[:60_000] or "x", data, kind
    elif act == 7:
        del members[place]
    elif act == 8:
        members.append((name, data, kind))
    else:
        members[place] = name, data, dice.choice((0, 8, 12, 14))
    return packed(members)


def packed(members: list[tuple[str, bytes, int]]) -> bytes:
    """Return a zip of members: name, content and method of compression."""
    import warnings

    with warnings.catch_warnings(), zipfile.ZipFile(made := io.BytesIO(), "w") as archive:
        warnings.simplefilter("ignore")  # of repeated names
        for name, data, kind in members:
            info = zipfile.ZipInfo(name)
            info.compress_type = kind
            archive.writestr(info, data)
    return made.getvalue()
