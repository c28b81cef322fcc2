"""Changes of single entries of a file in any format: left out, repeated, unknown, without text."""

from __future__ import annotations

import copy
import io
import json
import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

Json = Any
Naming = Literal["", "always", "in submissions"]
ID = re.compile(r"(?:^|_)ids?$|[a-z]Id$|^(?:item|image|file_name|key|photo_sequence)$")
DIGITS = re.compile(r"\d+")
ODD = "zz-98765"
"""Name that no file has."""


@dataclass(frozen=True, slots=True)
class Change:
    """Change of one entry.

    `must_be_named` if another value of an item does not tell enough: always, or in a submission,
    since marks of references are their vocabulary. `is_of_texts` if texts alone change, of which
    references may have some that nobody reads.
    """

    name: str
    must_be_named: Naming
    content: bytes
    is_of_texts: bool = False


def changes(content: bytes) -> Iterator[Change]:
    """Yield the changes of entries that fit the format of a file."""
    if content.startswith((b"\x93NUMPY", b"PK")):
        yield from _array_changes(content)
    elif content.lstrip().startswith((b"{", b"[")):
        yield from _json_changes(json.loads(content))
    else:
        yield from _line_changes(content.decode())


# ---- JSON ---------------------------------------------------------------------------------------

Step = str | int


def containers(value: Json, path: tuple[Step, ...] = ()) -> Iterator[tuple[Step, ...]]:
    """Yield the paths of lists of objects, and of objects by id, that hold the entries."""
    inner = list(value.values()) if isinstance(value, dict) else value
    if len(inner) > 1 and all(isinstance(one, dict) for one in inner):
        yield path
        return
    if not path and isinstance(value, dict) and len({*map(type, inner)}) == 1 and len(inner) > 3:
        yield path
        return
    if isinstance(value, dict):
        for name, one in value.items():
            if isinstance(one, dict | list) and one and len(path) < 2:
                yield from containers(one, (*path, name))
    elif len(inner) > 1 and all(isinstance(one, list) and len(one) == 1 for one in inner):
        yield path


def _json_changes(value: Json) -> Iterator[Change]:
    for path in containers(value):
        where = ".".join(map(str, path)) or "entries"
        for name, must_be_named, change in JSON_CHANGES:
            changed = copy.deepcopy(value)
            held = changed
            for step in path:
                held = held[step]
            before = copy.deepcopy(held)
            change(held)
            if held != before:
                content = json.dumps(changed, ensure_ascii=False).encode()
                of_texts = name in OF_TEXTS
                yield Change(f"{name} ({where})", must_be_named, content, of_texts)


def _keys(held: Json) -> list[Any]:
    return list(held) if isinstance(held, dict) else list(range(len(held)))


def _drop(held: Json) -> None:
    del held[_keys(held)[1]]


def _double(held: Json) -> None:
    if isinstance(held, list):
        held.insert(1, copy.deepcopy(held[0]))


def _add_unknown(held: Json) -> None:
    if isinstance(held, dict):
        held[ODD] = copy.deepcopy(held[_keys(held)[0]])
    else:
        held.append(_with_ids(copy.deepcopy(held[0]), _other_id))


def _spell_ids(spell: Callable[[str], Json]) -> Callable[[Json], None]:
    def change(held: Json) -> None:
        for key in _keys(held):
            if isinstance(held, list):
                held[key] = _with_ids(held[key], lambda one: spell(str(one)))

    return change


def _other_id(value: Json) -> Json:
    return 98_765_432 if isinstance(value, int) else ODD


def _with_ids(value: Json, other: Callable[[Json], Json]) -> Json:
    """Return an entry with other ids; those of parts of a list of ids too."""
    if isinstance(value, list):
        return [_with_ids(one, other) for one in value]
    if not isinstance(value, dict):
        return value
    return {
        name: _other_ids(held, other) if ID.search(name) else held for name, held in value.items()
    }


def _other_ids(value: Json, other: Callable[[Json], Json]) -> Json:
    if isinstance(value, list):
        return [_other_ids(one, other) for one in value]
    return other(value) if isinstance(value, str | int) else value


def _write_texts(write: Callable[[str], str]) -> Callable[[Json], None]:
    """Return a change of the first texts, in one entry of the list."""

    def change(held: Json) -> None:
        for key in _keys(held)[1:]:
            other = _with_texts(held[key], write)
            if other != held[key]:
                held[key] = other
                return

    return change


def _with_texts(value: Json, write: Callable[[str], str]) -> Json:
    if isinstance(value, str):
        return write(value) if " " in value.strip() else value
    if isinstance(value, list):
        return [_with_texts(one, write) for one in value]
    if not isinstance(value, dict):
        return value
    return {
        name: held if ID.search(name) else _with_texts(held, write) for name, held in value.items()
    }


def _decomposed(text: str) -> str:
    return unicodedata.normalize("NFD", text + " café й")


JSON_CHANGES: tuple[tuple[str, Naming, Callable[[Json], None]], ...] = (
    ("left out", "", _drop),
    ("twice", "", _double),
    ("unknown", "always", _add_unknown),
    ("ids as text", "always", _spell_ids(lambda one: one)),
    ("ids with zeros", "always", _spell_ids(lambda one: f"000000{one}")),
    ("ids with an extension", "always", _spell_ids(lambda one: f"{one}.jpg")),
    ("ids with a folder", "always", _spell_ids(lambda one: f"val/{one}")),
    ("empty text", "always", _write_texts(lambda text: "")),
    ("marks", "in submissions", _write_texts(lambda text: f"<s> {text} <unk> </s>")),
    ("accents apart", "", _write_texts(_decomposed)),
)
OF_TEXTS = ("empty text", "marks", "accents apart")

# ---- Lines, tables and XML ----------------------------------------------------------------------


def _line_changes(text: str) -> Iterator[Change]:
    lines = text.splitlines(keepends=True)
    is_xml, head = text.lstrip().startswith("<"), lines[0].strip().split(",")
    entry = re.compile(r"^\s*<word .*/>\s*$" if is_xml else r"[^\s#]")
    found = [number for number, line in enumerate(lines) if entry.match(line)]
    if len(head) > 1:  # the names of the columns of a table
        found = found[1:]

    def joined(changed: Mapping[int, str]) -> bytes:
        return "".join(changed.get(number, line) for number, line in enumerate(lines)).encode()

    line = lines[found[0]]
    yield Change("left out", "", joined({found[0]: ""}))
    yield Change("twice", "", joined({found[0]: line + line}))
    for name, write in SPELLINGS:
        changed = joined({number: _spelled(lines[number], write, head) for number in found})
        if changed != text.encode():
            yield Change(name, "always", changed)


def _spelled(line: str, write: Callable[[str], str], head: Sequence[str]) -> str:
    """Return a line with another name of its item or document, or of its only name."""
    if line.lstrip().startswith("<"):
        return re.sub(r'(document=")([^"]*)', lambda found: found[1] + write(found[2]), line)
    fields = re.split(r"([,\s])", line)
    named = [place for place, one in enumerate(head) if ITEM.fullmatch(one)]
    named = named or [
        place
        for place in range(3)
        if re.search("[A-Za-z]", "".join(fields[2 * place : 2 * place + 1]))
    ]
    fields[2 * named[-1]] = write(fields[2 * named[-1]])
    return "".join(fields)


ITEM = re.compile("sign|item")
"""Names of the column of items in the tables of the examples."""
SPELLINGS: tuple[tuple[str, Callable[[str], str]], ...] = (
    ("unknown", lambda one: ODD + one),
    ("ids with zeros", lambda one: DIGITS.sub(lambda found: f"000{found[0]}", one)),
    ("ids with an extension", lambda one: f"{one}.jpg"),
    ("ids with a folder", lambda one: f"val/{one}"),
)

# ---- Arrays -------------------------------------------------------------------------------------


def _array_changes(content: bytes) -> Iterator[Change]:
    held = np.load(io.BytesIO(content))
    arrays = dict(held) if hasattr(held, "files") else {"": held}
    for name, change in ARRAY_CHANGES:
        buffer = io.BytesIO()
        changed = {key: change(array) for key, array in arrays.items()}
        if "" in changed:
            np.save(buffer, changed[""])
        else:
            np.savez(buffer, **changed)
        yield Change(name, "", buffer.getvalue())


def _with_a_hole(array: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    other = array.astype(np.float64)
    other.flat[1] = np.nan
    return other


ARRAY_CHANGES: tuple[tuple[str, Callable[[Any], Any]], ...] = (
    ("left out", lambda array: array[1:]),
    ("twice", lambda array: np.concatenate([array[:1], array])),
    ("not a number", _with_a_hole),
)
