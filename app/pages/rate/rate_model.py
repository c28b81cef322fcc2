"""Sentences of the Rate page, and the column of its table that files do not have."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jurydesk.core.language import name_list, translatable, translate, translate_text
from jurydesk.core.tables import numbers
from jurydesk.core.tables.columns import TextColumn

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

STATE = "state"
"""Name of the column."""
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
        found = translate(
            "The best-rated system ({question}) is one of these {count}: {systems}; the ratings "
            "cannot say which.",
            question=question,
            count=len(first),
            systems=name_list(first),
        )
    return f"{found} {translate_text(outcome.remark)}".rstrip()
