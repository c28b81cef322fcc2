"""Habits of people who write files: each changes a sound file and says what the cause is."""

from __future__ import annotations

import bz2
import csv
import gzip
import io
import json
import lzma
import random
import re
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal

from support.habits.entries import ID, Json, containers
from support.habits.sound_files import Outcome

Verdict = Literal["equal, named", "equal", "refused", "other, named", "WRONG"]
Changed = Callable[[bytes], bytes | None]


@dataclass(frozen=True, slots=True)
class Habit:
    """Change of a whole file; None where it does not apply.

    `cause` is what a refusal or a note must mention. `is_plain` if nothing needs to be said of an
    equal score: the format allows it, or nobody reads what changed.
    """

    name: str
    change: Changed
    cause: str
    is_plain: bool = False
    ending: str = ""

    def judge(self, before: Outcome, after: Outcome, *, alone: bool = False) -> Verdict:
        """Return what became of a changed file; `alone` if no other file names its entries."""
        more = after.says_more_than(before)
        said = [f"{one.found} {one.expected} {one.hint}" for one in more]
        is_named = any(re.search(self.cause, text, re.IGNORECASE) for text in said)
        if after.errors:
            return "refused" if is_named else "WRONG"
        if after.values == before.values:
            return "equal, named" if more else ("equal" if self.is_plain or alone else "WRONG")
        return "other, named" if is_named or (alone and after.values) else "WRONG"


def habits() -> list[Habit]:
    """Return all habits."""
    return [*_bytes(), *_packings(), *_lines(), *_layouts(), *_spellings()]


def varied(content: bytes, dice: random.Random) -> bytes:
    """Return a sound file with other texts, some beyond ASCII, and other white space."""
    if not _is_json(content):
        return content
    value = json.loads(content)
    texts = [*_texts(value)]
    for holder, key in dice.sample(texts, min(len(texts), dice.randint(1, 3))):
        holder[key] += dice.choice([" café", " naïve", " ёлка", " Zürich"])
    return json.dumps(value, ensure_ascii=False, indent=dice.choice([None, 1])).encode()


def _texts(value: Json) -> Iterator[tuple[Any, Any]]:
    """Yield the place of every text of several words."""
    steps = value.items() if isinstance(value, dict) else enumerate(value)
    for key, one in list(steps):
        if isinstance(one, dict | list):
            yield from _texts(one)
        elif isinstance(one, str) and one.count(" ") > 1 and not ID.search(str(key)):
            yield value, key


def _is_json(content: bytes) -> bool:
    return content.lstrip()[:1] in (b"{", b"[")


def _is_text(content: bytes) -> bool:
    return not content.startswith((b"\x93NUMPY", b"PK"))


def _is_lines(content: bytes) -> bool:
    is_toml = re.search(rb"^\w+ = ", content, re.MULTILINE) is not None
    return _is_text(content) and not _is_json(content) and content[:1] != b"<" and not is_toml


def _is_table(content: bytes) -> bool:
    return _is_lines(content) and b"," in content.split(b"\n")[0]


def _encoded(codec: str, mark: bytes = b"") -> Changed:
    def change(content: bytes) -> bytes | None:
        if not _is_text(content) or (not mark and content.isascii()):
            return None
        if content.lstrip().startswith(b"<?xml"):
            content = content.replace(b'encoding="utf-8"', b"", 1)
        try:
            return mark + content.decode().encode(codec)
        except UnicodeEncodeError:
            return None

    return change


def _of(fits: Callable[[bytes], bool], change: Callable[[bytes], bytes]) -> Changed:
    return lambda content: change(content) if fits(content) else None


def _bytes() -> Iterator[Habit]:
    yield Habit("UTF-8 with a mark", _encoded("utf-8", b"\xef\xbb\xbf"), "byte order", True)
    yield Habit("UTF-16", _encoded("utf-16-le", b"\xff\xfe"), "UTF-16|not UTF-8|encod", True)
    yield Habit("CP1251", _encoded("cp1251"), "UTF-8|encod|U\\+FFFD")
    yield Habit("Latin-1", _encoded("latin-1"), "UTF-8|encod|U\\+FFFD")
    yield Habit(
        "CR and LF", _of(_is_text, lambda one: one.replace(b"\n", b"\r\n")), "line end", True
    )
    yield Habit("CR", _of(_is_text, lambda one: one.replace(b"\n", b"\r")), "CR|line|\\\\r", True)
    yield Habit(
        "blank lines at the end", _of(_is_text, lambda one: one + b"\n\n \n"), "blank", True
    )
    yield Habit(
        "blank lines at the start", _of(_is_text, lambda one: b"\n\n" + one), "line|XML|JSON", True
    )
    yield Habit(
        "a NUL at the end",
        _of(_is_text, lambda one: one + b"\0"),
        "NUL|bytes of zero|character|data|TOML|�",
    )
    yield Habit("the last third is missing", lambda one: one[: len(one) * 2 // 3], CUT)


CUT = (
    "unterminated|ends? too early|at end of|truncated|is cut|cut off|damaged|incomplete|unclosed|"
    "no element|not closed|complete|does not hold an array|"
    "fewer fields|have no results|is not cut|[Uu]nexpected end"
)


def _packings() -> Iterator[Habit]:
    yield Habit("gzip", gzip.compress, "gzip|compressed|No system is called", True, ".gz")
    yield Habit("bzip2", bz2.compress, "bzip2|compressed|No system is called", True, ".bz2")
    yield Habit("xz", lzma.compress, "xz|compressed|No system is called", True, ".xz")
    yield Habit("zip", _zipped, "zip|archive|unpack|no JSON file|No system is called", True, ".zip")


def _zipped(content: bytes) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("file.txt", content)
    return packed.getvalue()


# ---- Lines and tables ---------------------------------------------------------------------------


def _separated(old: str, mark: str) -> Changed:
    def change(content: bytes) -> bytes | None:
        if not _is_lines(content) or _is_table(content) != (old == ","):
            return None
        lines = content.decode().split("\n")
        if old == mark or '"' in content.decode() or any(mark in line for line in lines):
            return None
        return "\n".join(line.replace(old, mark) for line in lines).encode()

    return change


def _lines() -> Iterator[Habit]:
    for name, mark in (("semicolons", ";"), ("commas", ","), ("bars", "|"), ("tabs", "\t")):
        cause = "separated|field|delimiter|columns"
        yield Habit(f"a table with {name}", _separated(",", mark), cause, True)
        yield Habit(f"lines with {name}", _separated(" ", mark), cause, mark == "\t")
    yield Habit(
        "a decimal comma", _of(_is_lines, _with_commas), "decimal|point|comma|field|quot|number"
    )
    yield Habit(
        "quoted fields", _of(_is_lines, _quoted), 'quot|field|separated|judged|column|""', True
    )
    cause = "counts the lines|field|column|query|queries|number|name|word"
    yield Habit(
        "a column of numbers",
        _of(lambda one: _is_lines(one) and not _is_table(one), _numbered),
        cause,
    )
    yield Habit("a line of names", _of(_is_lines, _headed), "column|names|header|field|number")


def _numbered(content: bytes) -> bytes:
    lines = content.split(b"\n")
    return b"\n".join(b"%d %s" % (n, line) if line else line for n, line in enumerate(lines))


def _with_commas(content: bytes) -> bytes:
    return re.sub(rb"(?<=\d)\.(?=\d)", b",", content)


def _quoted(content: bytes) -> bytes:
    mark = b"," if b"," in content.split(b"\n")[0] else b" "
    rows = [line.split(mark) for line in content.split(b"\n") if line]
    return b"\n".join(mark.join(b'"%s"' % field for field in row) for row in rows) + b"\n"


def _headed(content: bytes) -> bytes:
    names = [b"query", b"zero", b"document", b"rank", b"score", b"run"]
    fields = len(content.split(b"\n")[0].split())
    last = b"relevance" if fields == 4 else b"run"
    return b" ".join([*names[: fields - 1], last]) + b"\n" + content


# ---- JSON ---------------------------------------------------------------------------------------


def _json(change: Callable[[Json], Json | None]) -> Changed:
    """Return a change of the value of JSON; the new value may be the text of a file."""

    def changed(content: bytes) -> bytes | None:
        if not _is_json(content):
            return None
        value = json.loads(content)
        new = change(json.loads(content))
        if new is None or new == value:
            return None
        return (new if isinstance(new, str) else json.dumps(new, ensure_ascii=False)).encode()

    return changed


def _layouts() -> Iterator[Habit]:
    for name in ("results", "predictions", "data"):
        yield Habit(
            f"in the member {name}", _json(partial(_member, name)), f'member|"{name}"|an object'
        )
    yield Habit("in a list", _json(lambda one: [one]), "a list")
    yield Habit("the list alone", _json(_main_list), "a list")
    yield Habit("JSON Lines", _json(_json_lines), "JSON Lines|an object")
    yield Habit("by id", _json(_by_id), "an object")
    yield Habit("a table", _json(_table), "table|comma|separated")
    yield Habit("a Markdown table", _json(_markdown), "Markdown")
    yield Habit("Python's literals", _json(lambda one: repr(one)), "quot|Python")
    yield Habit("a comma too many", _json(lambda one: _trailing(json.dumps(one))), "comma")
    yield Habit("a comment", _json(lambda one: "// mine\n" + json.dumps(one)), "comment")
    yield Habit("NaN in a member of its own", _json(_with_nan), "NaN|beam_score", True)
    yield Habit("escaped letters", _json(lambda one: json.dumps(one) + " "), "escape", True)


def _member(name: str, value: Json) -> Json:
    return {name: value}


def _entries(value: Json) -> list[Json] | None:
    """Return the longest list of objects of a file; None without one."""
    found = []
    for path in containers(value):
        held = value
        for step in path:
            held = held[step]
        if isinstance(held, list) and all(isinstance(one, dict) for one in held):
            found.append(held)
    return max(found, key=len, default=None)


def _main_list(value: Json) -> Json | None:
    return _entries(value) if isinstance(value, dict) else None


def _json_lines(value: Json) -> Json | None:
    listed = _entries(value)
    return None if listed is None else "\n".join(json.dumps(one) for one in listed)


def _id_of(entry: Json) -> str:
    return next((name for name in entry if ID.search(name)), "")


def _by_id(value: Json) -> Json | None:
    listed = value if isinstance(value, list) else None
    if not listed or not isinstance(listed[0], dict) or not _id_of(listed[0]):
        return None
    name = _id_of(listed[0])
    return {str(one.get(name)): {key: one[key] for key in one if key != name} for one in listed}


def _table(value: Json) -> Json | None:
    listed = value if isinstance(value, list) else None
    if not listed or not all(isinstance(one, dict) for one in listed):
        return None
    written = io.StringIO()
    csv.writer(written).writerows([listed[0], *(one.values() for one in listed)])
    return written.getvalue()


def _markdown(value: Json) -> Json | None:
    listed = value if isinstance(value, list) else None
    if not listed or not all(isinstance(one, dict) for one in listed):
        return None
    rows = [listed[0], ["---"] * len(listed[0]), *(one.values() for one in listed)]
    return "".join(f"| {' | '.join(map(str, row))} |\n" for row in rows)


def _trailing(text: str) -> str:
    return f"{text[:-1]},{text[-1]}"


def _with_nan(value: Json) -> Json | None:
    listed = _entries(value)
    if listed is None:
        return None
    listed[0]["beam_score"] = float("nan")
    return value


# ---- Ids and types ------------------------------------------------------------------------------


def _spellings() -> Iterator[Habit]:
    said = (
        "as (?:text|a number)|[Tt]ext or a fraction|the text|whole number|in quot|another spelling"
    )
    yield Habit("ids as text", _json(_ids(lambda one: str(one))), said + '|"[^"]+"', True)
    yield Habit("ids as numbers", _json(_ids(_as_number)), said, True)
    yield Habit("ids as fractions", _json(_ids(_as_fraction)), said + r"|fraction|\d\.0")
    yield Habit("ids as formulas", _json(_ids(lambda one: f'="{one}"')), '="|another spelling')
    yield Habit("ids after an apostrophe", _json(_ids(lambda one: f"'{one}")), "'|another spelling")
    yield Habit("ids as text with .0", _json(_ids(_with_point)), r"\d\.0|fraction")
    yield Habit("ids with zeros", _json(_ids(lambda one: f"{one:0>12}")), "000|zeros")
    yield Habit("ids with an extension", _json(_ids(lambda one: f"{one}.jpg")), r"\.jpg")
    yield Habit("ids with a folder", _json(_ids(lambda one: f"test/{one}")), "test/")
    yield Habit(
        "ids in capitals",
        _json(_ids(lambda one: one.upper() if isinstance(one, str) else one)),
        "[A-Z]{3}|capital",
        True,
    )
    yield Habit("numbers as text", _json(_scalars(float, str)), r"""the text "|is text|\['""")
    yield Habit("whole numbers as fractions", _json(_scalars(int, float)), r"fraction|\d\.0")
    yield Habit(
        "texts in lists",
        _json(_scalars(str, lambda one: [one])),
        "a list|[Ll]ists of|accepted answers",
    )
    yield Habit(
        "null for a text", _json(_without_a_text), "null|is missing|Lists of|without a text", True
    )


def _as_number(one: Json) -> Json:
    return int(one) if isinstance(one, str) and one.isdecimal() else one


def _as_fraction(one: Json) -> Json:
    return float(one) if isinstance(one, int) and not isinstance(one, bool) else one


def _with_point(one: Json) -> Json:
    return f"{one}.0" if str(one).isdecimal() else one


def _ids(spell: Callable[[Json], Json]) -> Callable[[Json], Json]:
    def one(value: Json, *, is_id: bool = False) -> Json:
        if isinstance(value, list):
            return [one(held, is_id=is_id) for held in value]
        if isinstance(value, dict):
            return {name: one(held, is_id=bool(ID.search(name))) for name, held in value.items()}
        return spell(value) if is_id and isinstance(value, str | int) else value

    return one


def _scalars(kind: type, write: Callable[[Any], Json]) -> Callable[[Json], Json]:
    def one(value: Json, *, is_id: bool = False) -> Json:
        if isinstance(value, list):
            return [one(held, is_id=is_id) for held in value]
        if isinstance(value, dict):
            return {name: one(held, is_id=bool(ID.search(name))) for name, held in value.items()}
        return write(value) if type(value) is kind and not is_id else value

    return one


def _without_a_text(value: Json) -> Json | None:
    for holder, key in _texts(value):
        holder[key] = None
        return value
    return None
