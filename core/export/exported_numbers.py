"""Comparison of the numbers that an export shows with its stamps.

A stamp can be verified by scoring; the numbers beside it could have been edited. Every score of a
stamped metric, and every interval by the stamp's method, must equal the stamp's.
"""

from __future__ import annotations

import csv
import io
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from html.parser import HTMLParser

from jurydesk.core.analysis.leaderboard_table import AVERAGE_RANK
from jurydesk.core.export.stamps_export import allow_long_cells
from jurydesk.core.language import fill, format_number, translatable
from jurydesk.core.model.decoding import DAMAGE
from jurydesk.core.model.evaluation import Json, Score
from jurydesk.core.model.stamp import Stamp, StampError
from jurydesk.core.tables.latex_table import escape_latex
from jurydesk.core.tables.table_file import escape_formula

RELATIVE_TOLERANCE = 1e-12
LATEX_COLUMNS = "% columns "
OTHER = "-"
"""Word of that comment for a column that is no metric's."""
LATEX_NUMBER = re.compile(r"-?(?:\d+(?:\.\d+)?|nan|inf)")


@dataclass(frozen=True, slots=True)
class ExportedNumber:
    """Number in an export, with its system, metric and decimals.

    `part` is `value`, `low`, `high`, `n` or `std`. Without `decimals` it is in full precision.
    `method` is that of an interval, if the export has it.
    """

    system: str
    profile: str
    metric: str
    part: str
    text: str
    decimals: int | None = None
    method: str | None = None


def find_contradictions(shown: Sequence[ExportedNumber], stamps: Sequence[Stamp]) -> list[str]:
    """Return a sentence per number that differs from its stamp, in the order of the file."""
    sentences = []
    for one in shown:
        found = [stamp for stamp in stamps if _is_number_of(one, stamp)]
        if not found:
            continue
        expected = [text for stamp in found for text in _expected_texts(one, stamp)]
        if expected and not any(_is_same(one, text) for text in expected):
            sentences.append(_contradiction(one, expected[0]))
    return sentences


def _contradiction(one: ExportedNumber, expected: str) -> str:
    """Return a sentence on a number that differs from what its stamp has."""
    number = f"{one.system}, {one.metric}"
    if one.part != "value":
        number_phrase = translatable(PARTS[one.part]).format(number=number)
        if not one.text:
            return fill(
                "{number_phrase}: the file shows nothing, its stamp has {expected}.",
                number_phrase,
                expected,
            )
        if not expected:
            return fill(
                "{number_phrase}: the file shows {text}, its stamp has nothing.",
                number_phrase,
                one.text,
            )
        return fill(
            "{number_phrase}: the file shows {text}, its stamp has {expected}.",
            number_phrase,
            one.text,
            expected,
        )
    if not one.text:
        return fill("{number}: the file shows nothing, its stamp has {expected}.", number, expected)
    if not expected:
        return fill("{number}: the file shows {text}, its stamp has nothing.", number, one.text)
    return fill(
        "{number}: the file shows {text}, its stamp has {expected}.",
        number,
        one.text,
        expected,
    )


PARTS = {
    "low": translatable("{number} (lower end of the interval)"),
    "high": translatable("{number} (upper end of the interval)"),
    "n": translatable("{number} (number of items)"),
    "std": translatable("{number} (standard deviation)"),
}


def find_unstamped(shown: Sequence[ExportedNumber], stamps: Sequence[Stamp]) -> list[str]:
    """Return the systems and metrics with numbers that are in no stamp."""
    known = [
        (one, [stamp for stamp in stamps if _is_number_of(one, stamp)]) for one in shown if one.text
    ]
    systems = dict.fromkeys(one.system for one, found in known if not found)
    metrics = dict.fromkeys(
        one.metric
        for one, found in known
        if found and all(one.metric not in {s.metric for s in stamp.scores} for stamp in found)
    )
    return [*systems, *metrics]


def _is_number_of(one: ExportedNumber, stamp: Stamp) -> bool:
    names = (stamp.system, escape_formula(stamp.system), escape_latex(stamp.system))
    named = one.system in names or one.system == f"{stamp.system} ({stamp.profile})"
    return named and one.profile in ("", stamp.profile)


def _expected_texts(one: ExportedNumber, stamp: Stamp) -> list[str]:
    """Return the texts that the stamp allows for a number; empty if the stamp lacks it."""
    score = next((score for score in stamp.scores if score.metric == one.metric), None)
    if score is None:
        return []
    if one.part in ("low", "high"):
        if one.method is not None and (
            score.interval is None or one.method != score.interval.method
        ):
            return []  # an interval of a comparison of systems
        limits = score.interval
        number = math.nan if limits is None else limits.low if one.part == "low" else limits.high
    else:
        number = _score_part(score, one.part)
    if one.part in ("low", "high") and not math.isfinite(score.value):
        number = math.nan
    if not math.isfinite(number):
        return [""]
    return [repr(number) if one.decimals is None else format_number(number, f".{one.decimals}f")]


def _score_part(score: Score, part: str) -> float:
    return {"value": score.value, "n": score.n, "std": score.std}[part]


def _is_same(one: ExportedNumber, expected: str) -> bool:
    if one.text == expected or (one.text == f"-{expected}" and not expected.strip("0.")):
        return True  # earlier versions gave 0 a sign
    if one.decimals is not None or not one.text or not expected:
        return False
    try:
        number, other = float(one.text), float(expected)
    except ValueError:
        return False
    return math.isclose(number, other, rel_tol=RELATIVE_TOLERANCE, abs_tol=1e-15)


def numbers_in_json(document: Json) -> Iterator[ExportedNumber]:
    """Yield the numbers of the systems in a document of `score` or `board`."""
    systems = document.get("systems") if isinstance(document, dict) else None
    for system in systems if isinstance(systems, list) else []:
        if not isinstance(system, dict):
            continue
        name, profile = str(system.get("name", "")), str(system.get("profile", ""))

        def number(
            metric: object, part: str, value: Json, name: str = name, profile: str = profile
        ) -> ExportedNumber:
            text = "" if value is None else repr(value)
            return ExportedNumber(name, profile, str(metric), part, text)

        for metric, value in _object(system.get("scores")).items():
            yield number(metric, "value", value)
        for metric, limits in _object(system.get("intervals")).items():
            ends = limits if isinstance(limits, list) and len(limits) == 2 else [None, None]
            yield number(metric, "low", ends[0])
            yield number(metric, "high", ends[1])
        details = system.get("details")
        for detail in details if isinstance(details, list) else []:
            score = _object(detail)
            about = score.get("metric")
            for part in ("value", "n", "std"):
                yield number(about, part, score.get(part))
            interval = _object(score.get("interval"))
            for part in ("low", "high") if interval else ():
                limit = number(about, part, interval.get(part))
                yield replace(limit, method=str(interval.get("method")))


def _object(value: Json) -> Mapping[str, Json]:
    return value if isinstance(value, dict) else {}


def numbers_in_csv(text: str) -> Iterator[ExportedNumber]:
    """Yield the numbers in the rows of a board."""
    table = csv.DictReader(io.StringIO(text, newline=""))
    heads = list(table.fieldnames or ())
    if heads[:1] == ["slice"]:  # scores of slices are in no stamp
        return
    metrics = [
        name
        for name in heads
        if {f"{name}_low", f"{name}_high"} <= {*heads} and name != AVERAGE_RANK
    ]
    for row in table:
        name, profile = row.get("system") or "", row.get("profile") or ""
        for metric in metrics:
            yield ExportedNumber(name, profile, metric, "value", row.get(metric) or "")
            # Only the headline's interval may have another method, which is in the row.
            method = (row.get("interval") or None) if metric == row.get("headline") else None
            for part in ("low", "high"):
                shown = row.get(f"{metric}_{part}") or ""
                yield ExportedNumber(name, profile, metric, part, shown, None, method)


def numbers_in_latex(text: str) -> Iterator[ExportedNumber]:
    """Yield the numbers of a table, whose comment names the metrics of its columns."""
    lines = text.splitlines()
    comment = next((line for line in lines if line.startswith(LATEX_COLUMNS)), LATEX_COLUMNS)
    columns = [word.rsplit(":", 2) for word in comment.removeprefix(LATEX_COLUMNS).split()]
    for row in lines:
        cells = re.split(r"(?<!\\) & ", row.removesuffix(" \\\\"))
        if row.endswith(" \\\\") and len(cells) == len(columns) + 2 and cells[0] != "Rank":
            yield from _latex_row(cells[1], cells[2:], columns)


def _latex_row(
    name: str, cells: Sequence[str], columns: Sequence[Sequence[str]]
) -> Iterator[ExportedNumber]:
    known = (pair for pair in zip(cells, columns, strict=True) if pair[1] != [OTHER])
    for cell, (metric, kind, decimals) in known:
        numbers = LATEX_NUMBER.findall(cell.replace("$-$", "-").replace("--", ""))
        for place, part in enumerate(("value",) if kind == "value" else ("low", "high")):
            text = numbers[place] if place < len(numbers) else ""
            method = None if kind in ("value", "own") else kind
            yield ExportedNumber(name, "", metric, part, text, int(decimals), method)


class _Cells(HTMLParser):
    """Parser of the board's table, which collects numbers by the attributes of cells."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[ExportedNumber] = []
        self._row: tuple[str, str] = ("", "")
        self._cell: dict[str, str] = {}
        self._texts: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if tag == "tr":
            self._row = given.get("data-system", ""), given.get("data-profile", "")
        elif tag == "td" and "data-metric" in given and self._row[0]:
            self._cell, self._texts = given, [""]
        elif tag == "span" and self._cell:
            self._texts.append("")

    def handle_data(self, data: str) -> None:
        if self._cell:
            self._texts[-1] += data

    def handle_endtag(self, tag: str) -> None:
        if tag == "td" and self._cell:
            self.found += self._numbers()
            self._cell = {}

    def _numbers(self) -> Iterator[ExportedNumber]:
        (system, profile), cell = self._row, self._cell
        metric, decimals = cell["data-metric"], int(cell.get("data-decimals") or 0)
        for name in ("data-value", "title"):
            yield ExportedNumber(system, profile, metric, "value", cell.get(name, ""))
        shown, *interval = (text.replace("−", "-") for text in self._texts)
        shown = "" if shown == "–" else shown
        yield ExportedNumber(system, profile, metric, "value", shown, decimals)
        ends = interval[0].split(" – ") if interval else ["", ""]
        for part, text in zip(("low", "high"), ends, strict=False):
            method = cell.get("data-method")
            yield ExportedNumber(system, profile, metric, part, text, decimals, method)


def numbers_in_html(text: str) -> Iterator[ExportedNumber]:
    """Yield the numbers of the board in a report."""
    parser = _Cells()
    parser.feed(text)
    yield from parser.found


def numbers_in_text(text: str) -> list[ExportedNumber]:
    """Return the numbers of an HTML, LaTeX or CSV export, without unreadable ones.

    Raises StampError if the table is not as an export has it.
    """
    try:
        if "<table" in text:
            return list(numbers_in_html(text))
        if LATEX_COLUMNS in text:
            return list(numbers_in_latex(text))
        with allow_long_cells():
            return list(numbers_in_csv(text))
    except DAMAGE as error:
        raise StampError("The table cannot be read: it was altered or is damaged.") from error
