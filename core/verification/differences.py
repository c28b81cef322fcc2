"""Comparison of an export with its recomputation: the first thing that differs."""

from __future__ import annotations

import base64
import csv
import io
import json
import math
import re
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from html import escape
from html.parser import HTMLParser
from typing import Any

from jurydesk.core.export.results_json import competition_json, system_json, unscored_system_json
from jurydesk.core.export.stamps_export import allow_long_cells
from jurydesk.core.language import fill, translatable
from jurydesk.core.model.defects import Defect
from jurydesk.core.model.evaluation import Evaluation, Json
from jurydesk.core.model.json_text import parse_json
from jurydesk.core.verification.verify_stamp import ABSOLUTE_TOLERANCE, RELATIVE_TOLERANCE

NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?")
FULL_PRECISION = 15
"""Digits from which on the last ones of a number in a text may differ."""
MAX_SHOWN = 80
"""Length of a value in a message."""


LANGUAGES = "languages"
"""Part of a report with the translations of its texts, which are those of the build."""
TRANSLATIONS = translatable("translations")
ERRATA_HEADING = re.compile(r"Errata of \d{4}-\d\d-\d\d")
"""Heading of a report's section on errata, which follow from the desk."""
DEFECTS = "defects"
"""Member of results and of their systems."""
NOTHING = "nothing"
"""What a file or its recomputation has where only the other has a value."""


@dataclass(frozen=True, slots=True)
class ExportDifference:
    """First place where an export differs from its recomputation."""

    place: str
    recorded: str
    recomputed: str

    @property
    def sentence(self) -> str:
        """Sentence with the recorded and the recomputed value."""
        if self.recorded == NOTHING:
            return fill(
                "{place}: the file has nothing, recomputed {recomputed}.",
                self.place,
                self.recomputed,
            )
        if self.recomputed == NOTHING:
            return fill(
                "{place}: the file has {recorded}, recomputed nothing.", self.place, self.recorded
            )
        return fill(
            "{place}: the file has {recorded}, recomputed {recomputed}.",
            self.place,
            self.recorded,
            self.recomputed,
        )


def find_difference(
    form: str,
    recorded: Json,
    recomputed: str,
    left_out: Sequence[str] = (),
    *,
    incomplete: bool = False,
) -> tuple[ExportDifference | None, list[str]]:
    """Return the first difference, and the places of the file that were not recomputed.

    `form` is `json`, `jsonl`, `csv`, `html` or `lines`; `recorded` is the file's text, or its
    document if it is JSON. The sections `left_out` of a report are not compared, nor translations
    that another build made. What the recomputation lacks differs, unless it is `incomplete`.
    """
    again: Json
    unknown: list[str] = []
    recorded_text = recorded
    if form == "json":
        recorded, again = _document(recorded), _document(json.loads(recomputed))
    elif form == "html":
        recorded, again = _page(recorded), _page(recomputed)
        _unpack_differing(recorded, again)
        left_out = [*left_out, *filter(ERRATA_HEADING.fullmatch, recorded)]
        for name in left_out:
            unknown += [name] if again.pop(name, None) or name in recorded else []
            recorded.pop(name, None)
        if LANGUAGES in recorded and recorded.pop(LANGUAGES) != again.pop(LANGUAGES):
            unknown.append(TRANSLATIONS)
    else:
        parts = {"csv": _rows, "jsonl": _objects}.get(form, _lines)
        recorded, again = parts(recorded), parts(recomputed)
    missing: list[str] | None = unknown if incomplete else None
    found = next(_differences("", recorded, again, missing), None)
    if found is None and not incomplete and form in ("csv", "html"):
        strict = _raw_rows if form == "csv" else partial(_page_lines, left_out=left_out)
        found = next(_differences("", strict(recorded_text), strict(recomputed), None), None)
    return found, unknown


def find_result_difference(
    recorded: Json, evaluations: Sequence[Evaluation], defects: Sequence[Defect] = ()
) -> tuple[ExportDifference | None, list[str]]:
    """Return the first difference of results (`score --json`) from their recomputation.

    `evaluations` are those of the systems with a stamp, in the order of the file, `defects` those
    of the references. The second value are the places that follow from no stamp: systems without
    one, and defects that scoring a system alone does not give.
    """
    unknown: list[str] = []
    made, systems = iter(evaluations), []
    for number, system in enumerate(recorded["systems"]):
        given = system if isinstance(system, dict) else {}
        if given.get("stamp"):
            again = json.loads(json.dumps(system_json(next(made))))
        else:
            again = unscored_system_json(str(given.get("name")), str(given.get("profile")), ())
            unknown.append(f"systems[{number}]")
        systems.append(_with_own_defects(f"systems[{number}]", given, again, unknown))
    task = evaluations[0].task if evaluations else ""
    document = json.loads(json.dumps(competition_json(task, systems, defects)))
    document = _with_own_defects("", recorded, document, unknown)
    found = _differences("", _index_scores(recorded), _index_scores(document), None)
    return next(found, None), unknown


def _with_own_defects(
    place: str, recorded: Mapping[str, Json], again: dict[str, Json], unknown: list[str]
) -> dict[str, Json]:
    """Return the recomputed object with the file's defects, which are unknown if they differ.

    Their places are paths of the machine that scored: only the names of files are compared.
    """
    defects = recorded.get(DEFECTS)
    if without_folders(defects) != without_folders(again[DEFECTS]):
        unknown.append(f"{place}.{DEFECTS}" if place else DEFECTS)
    return {**again, DEFECTS: defects} if isinstance(defects, list) else again


def without_folders(value: Json) -> Json:
    """Return defects with the names of their files alone, wherever these are."""
    if isinstance(value, list):
        return [without_folders(one) for one in value]
    if isinstance(value, dict):
        return {name: without_folders(one) for name, one in value.items()}
    return re.split(r"[/\\]", value)[-1] if isinstance(value, str) else value


# ---- Documents -----------------------------------------------------------------------------------


def _index_scores(value: Json) -> Json:
    """Return a document whose lists of scores and errata are objects by their keys."""
    if isinstance(value, list):
        return [_index_scores(member) for member in value]
    if not isinstance(value, dict):
        return value
    indexes = {"details": _index_by_metric, "errata": _index_by_place}
    return {name: indexes.get(name, _index_scores)(member) for name, member in value.items()}


def _index_by_metric(scores: Json) -> Json:
    is_list = isinstance(scores, list) and all(isinstance(one, dict) for one in scores)
    named = {str(one.get("metric")): one for one in scores} if is_list else {}
    return named if is_list and len(named) == len(scores) else scores


def _index_by_place(members: Json) -> Json:
    """Return members by their place, which the recomputation has for those that it made again."""
    is_list = isinstance(members, list)
    return {str(place): member for place, member in enumerate(members)} if is_list else members


def _document(value: Json) -> Json:
    """Return a document by its members, and a list of records by number and item."""
    if isinstance(value, list) and all(isinstance(one, dict) for one in value):
        return _index_by_number(value)
    return _index_scores(value)


def _raw_rows(text: str) -> Json:
    """Return all rows of a CSV table as lists, with rows of blank lines."""
    with allow_long_cells():
        rows = [*csv.reader(io.StringIO(text, newline=""))]
    return {"columns" if not number else f"row {number}": row for number, row in enumerate(rows)}


def _page_lines(text: str, left_out: Sequence[str]) -> Json:
    """Return the lines of a page without its data elements, and the sections `left_out`.

    Data are compared by their values; everything else of a page is compared letter by letter.
    """
    for title in left_out:
        section = rf'(?s)<section class="part"><h2>{re.escape(escape(title))}</h2>.*?</section>\n?'
        text = re.sub(section, "", text)
    return _lines(IN_DATA.sub(r"\1\3", text.replace("\r\n", "\n")))


IN_DATA = re.compile(
    r"""(<script type="(?:application/json|text/plain)" id="[a-z0-9-]+">)([^<]*)(</script>)"""
)


def _rows(text: str) -> Json:
    """Return the rows of a CSV table."""
    with allow_long_cells():
        rows = list(csv.DictReader(io.StringIO(text, newline="")))
    return _index_by_number([{str(name): cell for name, cell in row.items()} for row in rows])


def _objects(text: str) -> Json:
    """Return the objects of JSON lines; the text of a line that is none."""
    return _index_by_number([_object(line) for line in text.removesuffix("\n").split("\n")])


def _object(line: str) -> dict[str, Json]:
    try:
        found = parse_json(line, unique=True)
    except ValueError:
        found = None
    return found if isinstance(found, dict) else {"text": line}


def _index_by_number(rows: Sequence[Mapping[str, Json]]) -> Json:
    """Return rows by their number, with the first two of system, rater and item that they have."""
    found = {}
    for number, row in enumerate(rows, start=1):
        names = [str(row[name]) for name in NAMES if row.get(name)][:2]
        listed = ", ".join(names)
        place = f"row {number} ({listed})" if names else f"row {number}"
        found[place] = dict(row)
    return found


def _lines(text: str) -> Json:
    return {f"line {number}": line for number, line in enumerate(text.split("\n"), start=1)}


NAMES = ("system", "rater", "item", "story", "statement", "metric")
"""Columns that name a row in a message."""


class _Page(HTMLParser):
    """Parser of a report: its texts and attributes by section, and its data elements."""

    def __init__(self) -> None:
        super().__init__()
        self.parts: dict[str, list[str]] = {"board": []}
        self.data: dict[str, str] = {}
        self._part = "board"
        self._data: str | None = None
        self._is_heading = False
        self._is_body = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        self._is_body |= tag == "body"
        if tag == "script":
            self._data = given.get("id", "")
            self.data.setdefault(self._data, "")
        elif self._is_body:
            self._is_heading = tag == "h2"
            self._add(" ".join([tag, *(f'{name}="{text}"' for name, text in given.items())]))

    def handle_endtag(self, tag: str) -> None:
        if tag == "script":
            self._data = None

    def handle_data(self, data: str) -> None:
        if self._data is not None:
            self.data[self._data] += data
        elif self._is_body and data.strip():
            if self._is_heading:
                self._part, self._is_heading = data, False
                self.parts.setdefault(data, [])
            self._add(data.strip())

    def _add(self, text: str) -> None:
        self.parts[self._part].append(text)


def _page(text: str) -> dict[str, Json]:
    """Return the sections of a report and its data; scripts, which have no name, are left out."""
    page = _Page()
    page.feed(text)
    page.close()
    data = {name: _data(content) for name, content in page.data.items() if name}
    return {**page.parts, **data}


def _data(content: str) -> Json:
    """Return the value of a data element that is JSON, else its text."""
    try:
        return _index_scores(parse_json(content, unique=True))
    except ValueError:
        return content


def _unpack_differing(recorded: dict[str, Json], again: dict[str, Json]) -> None:
    """Unpack the items that differ, up to the size of the recomputed ones."""
    for name, packed in again.items():
        untrusted = recorded.get(name)
        if isinstance(packed, str) and isinstance(untrusted, str) and packed != untrusted:
            text = zlib.decompress(base64.b64decode(packed))
            again[name] = json.loads(text)
            recorded[name] = _unpack(untrusted, 2 * len(text))


def _unpack(packed: str, limit: int) -> Json:
    """Return a value that was deflated; the packed text if it is damaged or exceeds the limit."""
    try:
        unpacking = zlib.decompressobj()
        text = unpacking.decompress(base64.b64decode(packed, validate=True), limit)
        is_whole = unpacking.eof and not unpacking.unused_data
        return parse_json(text, unique=True) if is_whole else packed
    except (ValueError, zlib.error):
        return packed


# ---- Comparison ----------------------------------------------------------------------------------


def _differences(
    place: str, recorded: Json, again: Json, unknown: list[str] | None
) -> Iterator[ExportDifference]:
    """Yield the differences in the file's order.

    `unknown` gets what was not made again; without it that is a difference.
    """
    if isinstance(recorded, dict) and isinstance(again, dict):
        yield from _object_differences(place, recorded, again, unknown)
    elif isinstance(recorded, list) and isinstance(again, list):
        for number, (one, other) in enumerate(zip(recorded, again, strict=False)):
            yield from _differences(f"{place}[{number}]", one, other, unknown)
        if len(recorded) != len(again):
            counts = (f"{len(one):,} entries" for one in (recorded, again))
            yield ExportDifference(place, *counts)
    elif not _is_same(recorded, again):
        yield ExportDifference(place, _value_text(recorded), _value_text(again))


def _object_differences(
    place: str,
    recorded: Mapping[str, Json],
    again: Mapping[str, Json],
    unknown: list[str] | None,
) -> Iterator[ExportDifference]:
    for name, value in recorded.items():
        where = f"{place}.{name}" if place else name
        if name in again:
            yield from _differences(where, value, again[name], unknown)
        elif unknown is not None:
            unknown += [where] if value else []  # an empty list says nothing
        else:
            yield ExportDifference(where, _value_text(value), NOTHING)
    for name, value in again.items():
        if name not in recorded:
            where = f"{place}.{name}" if place else name
            yield ExportDifference(where, NOTHING, _value_text(value))


def _is_same(recorded: Json, again: Json) -> bool:
    if isinstance(recorded, str) and isinstance(again, str):
        return recorded == again or _same_text(recorded, again)
    if _is_number(recorded) and _is_number(again):
        return recorded == again or _is_close(recorded, again)
    return type(recorded) is type(again) and recorded == again


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _same_text(recorded: str, again: str) -> bool:
    """Return whether texts are equal but for the last digits of numbers in full precision."""
    if NUMBER.split(recorded) != NUMBER.split(again):
        return False
    pairs = zip(NUMBER.findall(recorded), NUMBER.findall(again), strict=True)
    return all(one == other or _has_other_last_digits(one, other) for one, other in pairs)


def _has_other_last_digits(one: str, other: str) -> bool:
    """Return whether numbers are written as this program does, in full precision, and are close.

    Others are part of a name, or have been rounded: they are equal digit for digit.
    """
    both = (one, other)
    is_own = all(text == repr(float(text)) for text in both)
    is_long = any(len(text.partition("e")[0].strip("-0.")) >= FULL_PRECISION for text in both)
    return is_own and is_long and _is_close(float(one), float(other))


def _is_close(one: float, other: float) -> bool:
    try:
        is_finite = math.isfinite(one) and math.isfinite(other)
    except OverflowError:  # an integer beyond the range of float64
        return False
    return is_finite and math.isclose(
        one, other, rel_tol=RELATIVE_TOLERANCE, abs_tol=ABSOLUTE_TOLERANCE
    )


def _value_text(value: Json) -> str:
    text = " ".join(value.split()) if isinstance(value, str) else json.dumps(value)
    return f"{text[:MAX_SHOWN]} …" if len(text) > MAX_SHOWN else text or NOTHING
