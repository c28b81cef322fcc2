"""Study made of an imported table of ratings: its raters answered, and no packet was signed."""

from __future__ import annotations

import secrets
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from jurydesk.core.competition.rating_design import RatedItem, RatingPool, SystemOutput, Wording
from jurydesk.core.human_evaluation.answers.answers_file import RaterAnswers
from jurydesk.core.human_evaluation.design.questionnaire import (
    PHOTOS_MISSING,
    Questionnaire,
    RatingQuestion,
)
from jurydesk.core.human_evaluation.design.study import Rater, RatingStudy
from jurydesk.core.human_evaluation.design.study_store import PackedPlan
from jurydesk.core.human_evaluation.imported.answer_scales import (
    AnswerScale,
)
from jurydesk.core.human_evaluation.imported.answer_values import (
    Values,
    compared_scales,
    rated_scales,
    value_defects,
)
from jurydesk.core.human_evaluation.imported.mapped_ratings import map_ratings
from jurydesk.core.human_evaluation.imported.rating_maps import find_rating_map
from jurydesk.core.human_evaluation.imported.rating_rows import (
    RatingRow,
    find_programs,
    find_rating_columns,
    list_rating_rows,
)
from jurydesk.core.human_evaluation.imported.ratings_options import RatingsOptions
from jurydesk.core.human_evaluation.imported.shown_items import (
    apparent_request,
    rater_codes,
    repeat_note,
    shown_items,
    tasks_of,
    unsigned_answers,
)
from jurydesk.core.language import counted, fill, name_list, reason, translatable
from jurydesk.core.model.defects import Defect, Place, Reading, error, has_errors, note, warning
from jurydesk.core.model.system_names import clean_system_name
from jurydesk.core.readers.foreign_tables.foreign_table import ForeignTable
from jurydesk.core.readers.foreign_tables.read_table import read_foreign_table

MOST_CELLS = 20_000_000
"""Raters by items by systems that fit into memory."""
MOST_STORIES = 8
NOT_COUNTED = ("practice", "attention")
"""Kinds of items of this program's exports that are no ratings."""
LONGEST_ID = 60
TITLE = translatable("Imported ratings")
Labels = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class KnownNames:
    """Systems and items of a desk, and names that no statement may have."""

    systems: tuple[str, ...] = ()
    items: Collection[str] = ()
    metrics: Collection[str] = ()


@dataclass(frozen=True, slots=True)
class ImportedRatings:
    """Study of a table with its answers, and the names of raters by code if these differ."""

    plan: PackedPlan
    answers: tuple[RaterAnswers, ...]
    names: Mapping[str, str]
    ratings: int


def read_imported_ratings(
    path: Path, sha256: str, options: RatingsOptions, known: KnownNames, words: Wording
) -> Reading[ImportedRatings]:
    """Read a table of ratings as a study, with all its defects."""
    reading = read_foreign_table(path, "none")
    table = reading.data
    if table is None:
        return Reading(None, reading.defects)
    defects = list(reading.defects)
    chosen = find_rating_map(options.map, [column.name for column in table.columns])
    if chosen is not None:
        mapped = map_ratings(table, chosen, options)
        if isinstance(mapped, str):
            return Reading(None, (*defects, error(Place(str(path)), mapped)))
        table, options = mapped
        sentence = fill("The file was read as ratings of {program}.", chosen.title)
        defects.append(note(Place(str(path)), sentence))
    rows = _read_rows(table, options, known, path, is_form=bool(chosen and chosen.questions))
    defects += rows.defects
    if rows.data is None:
        return Reading(None, tuple(defects))
    made = _study(rows.data, path, sha256, options, known, words)
    defects += made.defects
    return Reading(None if has_errors(defects) else made.data, tuple(defects))


def _read_rows(
    table: ForeignTable, options: RatingsOptions, known: KnownNames, path: Path, *, is_form: bool
) -> Reading[list[RatingRow]]:
    """Return the answers of a table, with what was left out."""
    place = Place(str(path))
    columns = find_rating_columns(table, options, questions=is_form)
    if isinstance(columns, Defect):
        return Reading(None, (columns,))
    default = clean_system_name("", path)
    names = {"systems": known.systems, "items": known.items}
    rows = list_rating_rows(table, columns, options, default, names)
    hint = "Options such as --value COLUMN change this."
    defects = [note(place, fill("Columns: {names}.", columns.describe()), hint)]
    if columns.left_out:
        left = name_list(list(columns.left_out), 8)
        defects.append(note(place, fill("Columns that are left out: {names}.", left)))
    if not columns.systems and not columns.questions and not columns.best:
        found = fill("No column names systems: all ratings are of {system}.", default)
        defects.append(warning(place, found, "", "Name it: --system COLUMN."))
    counted_rows = [row for row in rows if row.kind not in NOT_COUNTED]
    counted_rows = [row for row in counted_rows if row.statement != PHOTOS_MISSING]
    if left_out := len(rows) - len(counted_rows):
        found = fill("{answers} of practice and attention items.", counted(left_out, "answer"))
        defects.append(note(place, found, "They are left out."))
    if not counted_rows:
        return Reading(None, (*defects, error(place, "The table has no answers.")))
    counted_rows.sort(key=lambda row: row.kind == "repeat")
    return Reading(counted_rows, tuple(defects))


def _study(
    rows: Sequence[RatingRow],
    path: Path,
    sha256: str,
    options: RatingsOptions,
    known: KnownNames,
    words: Wording,
) -> Reading[ImportedRatings]:
    place = Place(str(path))
    sizes = Counter(len(row.systems) for row in rows)
    if len(sizes) > 1 and 1 in sizes:
        found = "Some answers are about one system, others compare several."
        hint = "Import them from two files, into two desks."
        return Reading(None, (error(place, found, "One kind of question is expected.", hint),))
    if max(sizes) > MOST_STORIES:
        found = fill("An answer compares {count} systems.", max(sizes))
        return Reading(None, (error(place, found, fill("At most {most}.", MOST_STORIES)),))
    values = compared_scales(rows) if max(sizes) > 1 else rated_scales(rows, options)
    defects = list(value_defects(rows, values, place))
    unknown = [one for one in options.lower if one not in values]
    if unknown:
        found = fill("The table has no statement {name}.", f'"{unknown[0]}"')
        statements = name_list([f'"{one}"' for one in values], 12)
        hint = reason("Its statements: {names}.", statements)
        return Reading(None, (*defects, error(place, found, "", hint)))
    questions, labels = _questions(values, known, options.lower)
    if not questions:
        found = "No column has answers on a scale, in categories, or between systems."
        return Reading(None, (*defects, error(place, found)))
    systems = _in_known_order(dict.fromkeys(one for row in rows for one in row.systems), known)
    items = tuple(dict.fromkeys(row.item for row in rows))
    raters = tuple(dict.fromkeys(row.rater for row in rows))
    if len(raters) * len(items) * len(systems) > MOST_CELLS:
        found = fill(
            "The table has {count} and too many items for them.", counted(len(raters), "rater")
        )
        return Reading(None, (*defects, error(place, found)))
    defects += _unknown_names(systems, items, known, place)
    shown = shown_items(rows, values, questions, systems, items)
    shown = {rater: found for rater, found in shown.items() if found}
    if not shown:
        return Reading(None, (*defects, error(place, "The table has no answers.")))
    defects += repeat_note(shown, place)
    programs = find_programs(rows, options.programs)
    codes = rater_codes(list(shown))
    pool = RatingPool(
        systems, tuple(RatedItem(item, (SystemOutput(),) * len(systems)) for item in items)
    )
    study = RatingStudy(
        pool,
        Questionnaire("imported", TITLE, tuple(questions.values()), labels, (), max(sizes)),
        apparent_request(shown, len(systems), len(items), max(sizes)),
        0,
        tuple(
            Rater(codes[name], tuple(tasks_of(place, found)), name in programs)
            for place, (name, found) in enumerate(shown.items())
        ),
        "",
        secrets.token_hex(16),
        words,
        f"{path.name}, SHA-256 {sha256}",
    )
    answers = tuple(
        unsigned_answers(rater, found, sha256)
        for rater, found in zip(study.raters, shown.values(), strict=True)
    )
    packets = {one.packet: one.rater for one in answers}
    names = {code: name for name, code in codes.items() if code != name}
    count = sum(len(one.answers) for found in shown.values() for one in found)
    return Reading(
        ImportedRatings(PackedPlan(study, packets), answers, names, count), tuple(defects)
    )


def _questions(
    values: Values, known: KnownNames, lower: Collection[str]
) -> tuple[dict[str, RatingQuestion], Labels]:
    """Return the questions by statement, and the labels of their common scale.

    Statements on one scale from 1 are those of a usual packet.
    """
    rated = {statement: scale for statement, scale in values.items() if scale.kind != "comment"}
    numbers = [scale for scale in rated.values() if scale.kind == "number"]
    longest = max(numbers, key=lambda scale: len(scale.labels), default=None)
    is_shared = longest is not None and all(_is_usual(scale, longest) for scale in numbers)
    questions: dict[str, RatingQuestion] = {}
    for statement, scale in rated.items():
        taken = {*(one.id for one in questions.values()), *known.metrics}
        kind = "likert" if is_shared and scale.kind == "number" else scale.kind
        tie = "tie" if kind == "pairwise" and scale.labels else ""
        own = kind in ("number", "category")
        questions[statement] = RatingQuestion(
            *(_question_id(statement, taken), kind, statement),
            tie=tie,
            required=False,
            limits=scale.limits if own else None,
            labels=scale.labels if own else (),
            lower=statement in lower,
        )
    return questions, longest.labels if is_shared and longest is not None else ()


def _is_usual(scale: AnswerScale, longest: AnswerScale) -> bool:
    """Return whether a scale has 2 to 9 steps from 1, those of the longest or fewer numbers."""
    starts = scale.limits is not None and scale.limits[0] == 1
    same = scale.labels == longest.labels[: len(scale.labels)]
    fits = len(scale.labels) == len(longest.labels) or scale.is_guessed
    return starts and same and fits and 2 <= len(longest.labels) <= 9


def _question_id(statement: str, taken: Collection[str]) -> str:
    """Return a short name of a statement that no other and no metric has."""
    text = clean_system_name(statement, Path("rating"))[:LONGEST_ID]
    found, number = text, 1
    while found in taken or found == PHOTOS_MISSING:
        number += 1
        found = f"{text} (people)" if number == 2 else f"{text} (people {number})"
    return found


def _in_known_order(systems: Mapping[str, None], known: KnownNames) -> tuple[str, ...]:
    """Return the systems, those of the desk first and in its order."""
    listed = [one for one in known.systems if one in systems]
    return (*listed, *(one for one in systems if one not in listed))


def _unknown_names(
    systems: Sequence[str], items: Sequence[str], known: KnownNames, place: Place
) -> Iterator[Defect]:
    """Yield which names the desk does not have: nothing can be correlated with them."""
    others = [one for one in systems if one not in known.systems]
    if known.systems and others:
        found = fill("The desk has no system {names}.", name_list(others, 6))
        yield warning(place, found, "Their ratings are shown, beside no score.")
    absent = sum(item not in known.items for item in items) if known.items else 0
    if absent:
        found = fill("{items} of the ratings not in the desk.", counted(absent, "item"))
        yield warning(place, found, "Their ratings do not correlate with metrics.", count=absent)
