"""Rows of an imported table of ratings: rater, item, systems, statement and answer of each."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import repeat
from typing import NamedTuple, TypeVar

from jurydesk.core.human_evaluation.imported.question_titles import split_titles
from jurydesk.core.human_evaluation.imported.ratings_options import RatingsOptions
from jurydesk.core.language import fill, name_list, reason
from jurydesk.core.model.defects import Defect, Place, error
from jurydesk.core.readers.foreign_tables.cell_numbers import MISSING, tidy_name
from jurydesk.core.readers.foreign_tables.column_roles import (
    find_roles,
    is_id_name,
    normalize_name,
)
from jurydesk.core.readers.foreign_tables.foreign_table import ForeignColumn, ForeignTable

T = TypeVar("T")
MOST_ANSWERS = 60
"""Different texts of a column that is meant as an answer."""
PAIRS = (
    ("system_a", "system_b"), ("model_a", "model_b"), ("system_1", "system_2"),
    ("model_1", "model_2"), ("system1", "system2"), ("model1", "model2"), ("left", "right"),
    ("left_system", "right_system"), ("system_left", "system_right"), ("model_left", "model_right"),
    ("first", "second"), ("a", "b"), ("option_a", "option_b"), ("система_1", "система_2"),
)  # fmt: skip
"""Names of two columns of systems that are compared."""
ANSWERS = (
    "value", "rating", "answer", "score", "winner", "preference", "preferred", "choice", "vote",
    "better", "label", "response", "grade", "annotation", "judgment", "judgement", "selected",
    "оценка", "ответ", "балл", "выбор",
)  # fmt: skip
"""Names of a column of answers in a table with a row for each answer."""
SECONDS = ("seconds", "duration", "lead_time", "time_spent", "work_time_in_seconds", "секунды")
KINDS = ("kind", "rater_kind", "rater_type", "annotator_type", "judge_type")
PROGRAMS = frozenset(("program", "model", "llm", "ai", "machine", "automatic", "auto", "bot"))
"""Kinds of raters that are programs."""
OWN = ("rater", "kind", "systems", "question", "answer", "seconds")
"""Columns of every rating as this program exports it; the item's has the name of its noun."""
JOINER = " | "
_RATER_COLUMN = re.compile(
    r"(?:rater|annotator|judge|worker|coder|expert|reviewer|эксперт|асессор|разметчик)s?_?\w+"
)
_NO_ANSWERS = re.compile(
    r"(?:.*_)?(?:timestamp|created_at|updated_at|date|time|comment|comments|note|notes|text|url)"
)


class RatingRow(NamedTuple):
    """One answer: systems that were shown together, in order; `kind` is that of the rater's item.

    `row` is that of the table.
    """

    rater: str
    item: str
    systems: tuple[str, ...]
    statement: str
    value: str
    seconds: float
    kind: str
    row: int


@dataclass(frozen=True, slots=True)
class ColumnsOfRatings:
    """Columns of a table by role; several are those of systems, statements and answers."""

    rater: str = ""
    item: str = ""
    systems: tuple[str, ...] = ()
    statement: str = ""
    values: tuple[str, ...] = ()
    seconds: str = ""
    kind: str = ""
    best: str = ""
    worst: str = ""
    raters: tuple[str, ...] = ()
    questions: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()

    def describe(self) -> str:
        """Return which columns are what."""
        single = {"rater": self.rater, "item": self.item, "statement": self.statement}
        parts = [f"{role} {name}" for role, name in single.items() if name]
        parts += [f"system {name}" for name in self.systems]
        parts += [f"rater {name}" for name in self.raters[:6]]
        parts += [f"best {self.best}", f"worst {self.worst}"] if self.best else []
        parts += [f"answer {name}" for name in (self.values or self.questions)[:8]]
        return name_list(parts, 16)


def find_rating_columns(
    table: ForeignTable, options: RatingsOptions, *, questions: bool = False
) -> ColumnsOfRatings | Defect:
    """Return the columns of a table of ratings, or which of them cannot be told.

    With `questions` each column is a question about an item, and each row a rater.
    """
    names = [column.name for column in table.columns]
    place = Place(table.path)
    unknown = [name for name in options.named_columns() if name not in names]
    if unknown:
        known = name_list([f'"{name}"' for name in names], 12)
        found = fill("The table has no column {name}.", f'"{unknown[0]}"')
        return error(place, found, "", reason("Its columns: {names}.", known))
    found_columns = _own_columns(names, options) or _roles(table, names, options, questions)
    if not (found_columns.rater or found_columns.raters):
        return error(place, "The table has no column of raters.", "", "Name it: --rater COLUMN.")
    if not (found_columns.item or found_columns.questions):
        return error(place, "The table has no column of items.", "", "Name it: --item COLUMN.")
    if not (found_columns.values or found_columns.best or found_columns.questions):
        found = "The table has no column of answers."
        return error(place, found, "", "Name it: --value COLUMN.")
    return found_columns


def _own_columns(names: Sequence[str], options: RatingsOptions) -> ColumnsOfRatings | None:
    """Return the columns of every rating as this program exports it; None for other tables."""
    if len(names) < 7 or (*names[:2], *names[3:7]) != OWN or options.named_columns():
        return None
    return ColumnsOfRatings(
        "rater", names[2], ("systems",), "question", ("answer",), "seconds", "kind"
    )


def _roles(
    table: ForeignTable, names: Sequence[str], options: RatingsOptions, questions: bool
) -> ColumnsOfRatings:
    """Return the columns by their names, as far as the options do not name them."""
    by_name = {normalize_name(name): name for name in reversed(names)}
    taken = set(options.named_columns())
    seconds = next((by_name[one] for one in SECONDS if one in by_name), "")
    kind = next((by_name[one] for one in KINDS if one in by_name), "")
    systems = options.system or _compared_systems(by_name)
    best, worst = by_name.get("best", ""), by_name.get("worst", "")
    if options.value or not (best and worst):
        best = worst = ""
    taken |= {seconds, kind, best, worst, *systems}
    free = [name for name in names if name not in taken]
    wanted = ("rater", "item", "system", "statement")
    roles = find_roles(free, [one for one in wanted if not (one == "system" and systems)])
    rater = options.rater or roles.get("rater", "")
    if questions:
        others = (name for name in free if name != rater and table.columns[0].name != name)
        asked = options.value or tuple(others)
        return ColumnsOfRatings(rater or table.columns[0].name, questions=asked)
    raters = () if rater or options.value else _rater_columns(free)
    item = options.item or roles.get("item", "")
    statement = options.statement or _without_numbers(table, roles.get("statement", ""))
    if best:  # the only question of such a table
        statement = ""
    if not systems and roles.get("system"):
        systems = (roles["system"],)
    used = {seconds, kind, best, worst, rater, item, statement, *systems, *raters}
    values = options.value or raters
    if not (values or best):
        values = tuple(_answers(table, by_name, used, statement))
    left = tuple(name for name in names if name not in {*used, *values})
    return ColumnsOfRatings(
        rater, item, systems, statement, values, seconds, kind, best, worst, raters, (), left
    )


def _without_numbers(table: ForeignTable, name: str) -> str:
    """Return the name of a column, or nothing if it has numbers: these are answers, not names."""
    column = table.column(name)
    return "" if column is None or not column.numbers.wrong else name


def _compared_systems(by_name: Mapping[str, str]) -> tuple[str, ...]:
    """Return the columns of systems that are shown together, or one with all of them."""
    for pair in PAIRS:
        if all(name in by_name for name in pair):
            more = (f"{pair[0].rstrip('a1_')}_{number}" for number in range(3, 9))
            return tuple(by_name[name] for name in (*pair, *more) if name in by_name)
    return (by_name["systems"],) if "systems" in by_name else ()


def _rater_columns(names: Sequence[str]) -> tuple[str, ...]:
    """Return the columns of answers that have the names of raters, if there are several."""
    found = tuple(name for name in names if _RATER_COLUMN.fullmatch(normalize_name(name)))
    return found if len(found) > 1 else ()


def _answers(
    table: ForeignTable, by_name: Mapping[str, str], used: Collection[str], statement: str
) -> Iterator[str]:
    """Yield the columns of answers: one of a usual name beside statements, else all that fit."""
    usual = [by_name[name] for name in ANSWERS if name in by_name and by_name[name] not in used]
    fitting = [one.name for one in table.columns if one.name not in used and _is_answer(one)]
    if usual and (statement or len(fitting) < 2 or set(fitting) == {usual[0]}):
        yield usual[0]
    else:
        yield from fitting


def _is_answer(column: ForeignColumn) -> bool:
    """Return whether a column may have answers: numbers, or few texts."""
    known = normalize_name(column.name)
    if is_id_name(column.name) or _NO_ANSWERS.fullmatch(known) or known.startswith("settings"):
        return False
    cells = column.numbers
    if not cells.wrong and not cells.missing.all():
        return True
    given = [text for text in column.texts if text.casefold() not in MISSING]
    return 0 < len(given) <= min(MOST_ANSWERS, max(2, len(column) // 2))


def list_rating_rows(
    table: ForeignTable,
    columns: ColumnsOfRatings,
    options: RatingsOptions,
    default: str,
    known: Mapping[str, Collection[str]],
) -> list[RatingRow]:
    """Return the answers of a table; those that are missing are left out.

    `default` is the system of a table that names none. `known` are the systems and items of the
    desk, by which titles of questions are understood.
    """
    if columns.questions:
        return list(_question_rows(table, columns, options, default, known))
    is_missing = cache(lambda text: text.strip().casefold() in MISSING)
    return [
        row
        for row in _rows(table, columns, default)
        if row.rater and row.item and not is_missing(row.value)
    ]


def _rows(table: ForeignTable, columns: ColumnsOfRatings, default: str) -> Iterator[RatingRow]:
    """Yield a row for each answer, those of best and worst as one."""

    def cells(name: str) -> Iterable[str]:
        return _cells(table, name, str)

    of_raters = bool(columns.raters) and not columns.best
    names: Sequence[str] = columns.values
    values: list[Iterable[str]] = [cells(name) for name in names]
    if columns.best:
        both = zip(cells(columns.best), cells(columns.worst), strict=True)
        names, values = ("best",), [map(JOINER.join, both)]
    rows = zip(
        *(cells(columns.rater), cells(columns.item), _shown_systems(table, columns, default)),
        *(cells(columns.statement), _cells(table, columns.seconds, _seconds)),
        _cells(table, columns.kind, str.casefold),
        zip(*values, strict=True),
        strict=True,
    )
    for number, (rater, item, systems, named, seconds, kind, given) in enumerate(rows):
        for name, value in zip(names, given, strict=True):
            by = name if of_raters else rater
            statement = (name if columns.best else named) or ("rating" if of_raters else name)
            yield RatingRow(by, item, systems, statement, value, seconds, kind, number)


def _cells(table: ForeignTable, name: str, change: Callable[[str], T]) -> Iterable[T]:
    """Return the cells of a column, each distinct text tidied once; empty ones without it."""
    column = table.column(name)
    if column is None:
        return repeat(change(""), table.rows)
    found = [change(tidy_name(text)) for text in column.texts]
    return map(found.__getitem__, column.codes.tolist())


def _shown_systems(
    table: ForeignTable, columns: ColumnsOfRatings, default: str
) -> Iterable[tuple[str, ...]]:
    """Return the systems of each row, equal ones as one tuple."""
    if columns.systems == ("systems",):
        parts = JOINER.strip()
        return _cells(table, "systems", lambda text: tuple(map(str.strip, text.split(parts))))
    given = cache(lambda *names: tuple(filter(None, names)) or (default,))
    if not columns.systems:
        return repeat((default,), table.rows)
    return map(given, *(_cells(table, name, str) for name in columns.systems))


def _seconds(text: str) -> float:
    try:
        found = float(text)
    except ValueError:
        return 0.0
    return found if 0 <= found < 1e9 else 0.0


def _question_rows(
    table: ForeignTable,
    columns: ColumnsOfRatings,
    options: RatingsOptions,
    default: str,
    known: Mapping[str, Collection[str]],
) -> Iterator[RatingRow]:
    """Yield the answers of a table whose columns are questions about items."""
    titles = split_titles(columns.questions, options.title, known)
    raters = table.column(columns.rater)
    names = raters.cells() if raters is not None else []
    is_named = bool(options.rater) or columns.rater != table.columns[0].name
    for title in titles:
        column = table.column(title.column)
        for row, text in enumerate(column.cells() if column is not None else ()):
            if text.strip().casefold() not in MISSING:
                rater = names[row].strip() if is_named else fill("row {number}", row + 1)
                yield RatingRow(
                    rater, title.item, (title.system or default,), title.statement,
                    text.strip(), 0.0, "", row,
                )  # fmt: skip


def find_programs(rows: Sequence[RatingRow], named: Collection[str]) -> frozenset[str]:
    """Return the raters that are programs: those named, and those of a kind in their rows."""
    return frozenset(row.rater for row in rows if row.kind in PROGRAMS or row.rater in named)
