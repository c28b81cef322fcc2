"""Sentences of the Rate page, and the columns of its tables that files do not have."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from jurydesk.core.language import (
    name_list,
    translatable,
    translate,
    translate_plural,
    translate_text,
)
from jurydesk.core.tables import numbers
from jurydesk.core.tables.columns import Column, NumberColumn, TextColumn

if TYPE_CHECKING:
    from jurydesk.core.competition.rating_design import Noun
    from jurydesk.core.human_evaluation.design.study import RatingStudy
    from jurydesk.core.human_evaluation.results.findings import StudyFindings
    from jurydesk.core.workflow.ratings import StudyState

NOTHING_OPEN = translatable("People rate stories, captions or answers: open a desk or the example.")
NO_FILES = translatable("Drop the systems' {entries} onto the window, then plan who rates what.")
NOT_SCORED = translatable("Score the systems first (Ctrl+R), then plan who rates their {entries}.")
PLAN = translatable(
    "There are no ratings yet. Plan who rates what; every {entry} gets the same number of ratings."
)
NOT_RATED = translatable("These {entries} have no ratings.")

DONE, ITEMS, STATE, NEXT = "done", "items", "state", "next"
INTERVAL, WIDTH, ENOUGH = "interval", "width", "enough"
SCREEN_ONLY = frozenset({STATE, NEXT, INTERVAL, WIDTH, ENOUGH})
"""Names of columns that follow from others, or say what to do; files do not have them."""
RESUME, REMIND = "resume", "remind"
"""What can be done for a rater."""
USUAL_WIDTH = 0.2
"""Width of an interval of alpha that is narrow enough, until another is chosen."""
TONES = {"answers are in": "good", "answers contradict each other": "bad"}


def state_column(state: StudyState, study: RatingStudy, people: StudyFindings | None) -> TextColumn:
    """Return the state of the packet and the answers of each rater of the plan."""
    found = {one.rater: one for one in people.raters} if people else {}
    contradicting = {one.place.path for one in people.defects} if people else set()

    programs = {rater.code for rater in study.raters if rater.is_program}

    def describe(code: str) -> str:
        if code in programs and code not in found:
            return translatable("a program judged")
        if code in found:
            is_done = found[code].done >= found[code].items
            return translatable("answers are in" if is_done else "some answers are in")
        if f"rater {code}" in contradicting:
            return translatable("answers contradict each other")
        if code in state.answered:
            return translatable("answers are being read")
        return translatable("packet is made" if code in state.packed else "no packet yet")

    states = [describe(rater.code) for rater in study.raters]
    return TextColumn(
        STATE,
        translatable("State"),
        states,
        paint=lambda row: TONES.get(states[row], "muted"),
        is_prose=True,
    )


def next_action(state: StudyState, people: StudyFindings | None, rater: str) -> str:
    """Return what can be done for a rater: `RESUME`, `REMIND`, or nothing."""
    report = next((one for one in people.raters if one.rater == rater), None) if people else None
    if rater not in state.packed or (report is not None and report.done >= report.items):
        return ""
    if rater in state.answered and report is None:
        return ""  # being read, or contradicting each other
    return RESUME if rater in state.local else REMIND


def next_column(state: StudyState, study: RatingStudy, people: StudyFindings | None) -> TextColumn:
    """Return what is to be done next for each rater of the plan."""
    done = {one.rater: one.done for one in people.raters} if people else {}
    codes = [rater.code for rater in study.raters]
    actions = [next_action(state, people, code) for code in codes]

    def describe(row: int) -> str:
        code = codes[row]
        if actions[row] == RESUME:
            return translate("Resume at {item}", item=numbers.count(done.get(code, 0) + 1))
        if actions[row] == REMIND:
            return translate("Copy reminder")
        return "" if code in state.packed else translate("make packets first")

    return TextColumn(
        NEXT,
        translatable("Next", "to be done"),
        [describe(row) for row in range(len(codes))],
        paint=lambda row: "accent" if actions[row] else "muted",
    )


def reminder(study: RatingStudy, state: StudyState, rater: str, done: int) -> str:
    """Return a message to a rater whose answers are not in yet."""
    planned = next(one for one in study.raters if one.code == rater)
    return translate(
        "Hello {name}, {done} of {items} of your packet {file} are rated. Please rate the rest: "
        "open the file, and send back the answers that it writes at the end.",
        name=state.names.get(rater, rater),
        done=numbers.count(done),
        items=numbers.quantity(len(planned.tasks), "item"),
        file=f"{rater}.jurypacket",
    )


def progress_columns(columns: Sequence[Column]) -> list[Column]:
    """Return the raters' columns with done and planned items in one cell."""
    by_name = {one.name: one for one in columns}
    done, items = by_name[DONE], by_name[ITEMS]
    if not isinstance(done, NumberColumn):
        return list(columns)

    def show(row: int) -> str:
        part, whole = numbers.count(int(done.values[row])), numbers.count(int(items.values[row]))
        return translate("{part} of {whole}", part=part, whole=whole)

    return [replace(one, show=show) if one is done else one for one in columns]


def axis(alpha: NumberColumn) -> tuple[float, float, float]:
    """Return the ends of the axis of agreement and the step of its lines: from 0, or from -1."""
    lows = [ends.low for ends in alpha.intervals if ends and math.isfinite(ends.low)]
    lows += [float(one) for one in alpha.values if math.isfinite(float(one))]
    return (-1.0, 1.0, 0.5) if min(lows, default=0.0) < 0 else (0.0, 1.0, 0.2)


def agreement_columns(
    columns: Sequence[Column], people: StudyFindings, widest: float
) -> list[Column]:
    """Return the table of agreement with alpha's intervals, their widths and the stopping rule.

    Widths up to `widest` are narrow enough. The rule knows widths alone, never who is ahead.
    """
    statements, alpha, *others = (
        replace(one, show=None, decimals=2) if isinstance(one, NumberColumn) else one
        for one in columns
    )
    if not isinstance(alpha, NumberColumn):
        return list(columns)
    ends = list(alpha.intervals)
    widths = np.array([one.high - one.low if one else np.nan for one in ends])
    given = sum(one.done for one in people.raters)
    title = (
        translatable("95 % interval, −1\u00a0to\u00a01")
        if axis(alpha)[0] < 0
        else translatable("95 % interval, 0\u00a0to\u00a01")
    )
    said = [_enough(width, widest, given) for width in widths.tolist()]
    shown = [numbers.interval(one, 2) if one else "" for one in ends]
    known = [one for one in others if np.isfinite(np.array(one.values, float)).any()]
    return [
        statements,
        alpha,
        TextColumn(INTERVAL, title, shown),
        NumberColumn(WIDTH, translatable("Width"), widths, decimals=2),
        TextColumn(
            ENOUGH,
            translatable("Stopping rule"),
            said,
            tooltip=translatable(
                "Ratings are estimated: widths fall with the square root of their number. The "
                "rule looks at agreement, never at who is ahead."
            ),
            paint=lambda row: "good" if widths[row] <= widest else "muted",
        ),
        *known,
    ]


def _enough(width: float, widest: float, given: int) -> str:
    """Say whether an interval is narrow enough, or about how many more ratings make it so."""
    if not math.isfinite(width):
        return translate("no interval yet")
    if width <= widest:
        return translate("✓ narrow enough")
    more = given * ((width / widest) ** 2 - 1)
    power = 10 ** max(0, math.floor(math.log10(more)) - 1) if more >= 1 else 1
    return translate_plural(
        "about {count} more rating", "about {count} more ratings", math.ceil(more / power) * power
    )


def enough_sentence(columns: Sequence[Column], widest: float) -> str:
    """Return for how many statements agreement is known well enough."""
    widths = next((one.values for one in columns if one.name == WIDTH), ())
    narrow = sum(float(one) <= widest for one in widths)
    return translate(
        "Agreement is known well enough for {part} of {statements}.",
        part=numbers.count(narrow),
        statements=numbers.quantity(len(widths), "statement"),
    )


def no_plan_sentence(entry: Noun | None, *, systems: bool, by_files: bool, read_only: bool) -> str:
    """Return the finding without a plan; `entry` is the noun of entries, None with nothing open.

    `systems` is true if there are systems to rate, `by_files` if their files are enough.
    """
    if entry is None:
        return translate(NOTHING_OPEN)
    if systems and not read_only:
        return translate(PLAN, entry=translate(entry[0]))
    sentence = NOT_RATED if read_only else NO_FILES if by_files else NOT_SCORED
    return translate(sentence, entries=translate(entry[1]))


def progress_sentence(study: RatingStudy, people: StudyFindings | None) -> str:
    """Return a sentence with the number of finished ratings."""
    total = sum(len(rater.tasks) for rater in study.raters)
    reports = people.raters if people else ()
    done = sum(one.done for one in reports)
    if not done:
        return translate(
            "No answers are in yet: {items} to rate.", items=numbers.quantity(total, "item")
        )
    if study.imported:
        judges = study.judges
        total -= sum(len(rater.tasks) for rater in judges)
        found = translate(
            "Imported from {file}: {items} rated by {raters}, none signed.",
            file=study.imported.partition(",")[0],
            items=numbers.quantity(total, "item"),
            raters=numbers.quantity(len(study.raters) - len(judges), "rater"),
        )
        beside = translate(
            "{programs} judged beside them; ranks leave that out.",
            programs=numbers.quantity(len(judges), "program"),
        )
        return f"{found} {beside}" if judges else found
    return translate(
        "{done} of {items} are rated, by {raters} of {all}.",
        done=numbers.count(done),
        items=numbers.quantity(total, "item"),
        raters=numbers.quantity(len(reports), "rater"),
        all=numbers.count(len(study.raters)),
    )


def leaders_sentence(people: StudyFindings) -> str:
    """Return who leads by all statements together, or how many systems share rank 1."""
    if not people.outcomes:
        return ""
    outcome, info = people.outcomes[-1], people.metrics[-1]
    first = [rank.system for rank in outcome.ranks if rank.first == 1]
    question = translate_text(info.title).lower()
    if len(first) == 1:
        found = translate(
            "{system} is rated best ({question}), ahead of all others at 95 %.",
            system=first[0],
            question=question,
        )
    else:
        # Where a remark says that no ranks are claimed, nothing is claimed of a set, either.
        found = translate(
            "The ratings cannot say which of these {count} is rated best ({question}): {systems}."
            if outcome.remark
            else "The best-rated system ({question}) is one of these {count}: {systems}; the "
            "ratings cannot say which.",
            question=question,
            count=len(first),
            systems=name_list(first),
        )
    return f"{found} {translate_text(outcome.remark)}".rstrip()
