"""Merging of answers files, independent of order and repetition.

Within a packet, a history replaces those that it continues. Histories that contradict each other
are both stored and neither counts until one is removed, so that the result does not depend on the
order.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from jurydesk.core.human_evaluation.answers.answers_file import RaterAnswers, read_answers
from jurydesk.core.human_evaluation.answers.rater_state import RaterState
from jurydesk.core.human_evaluation.design.study import RatingStudy
from jurydesk.core.human_evaluation.design.study_store import RatingStore
from jurydesk.core.language import fill
from jurydesk.core.model.defects import Defect, Place, error, note


@dataclass(frozen=True, slots=True)
class AnswerMerge:
    """Result of a merge: numbers of new and known files, and defects."""

    taken: int
    known: int
    defects: tuple[Defect, ...]


def merge_answers(store: RatingStore, paths: Sequence[Path]) -> AnswerMerge:
    """Merge answers files into the desk; files with errors are left out and reported."""
    study = store.required_study()
    packets = store.packets()
    stored = {one.sha256: one for one in store.histories()}
    previous = set(stored)
    defects: list[Defect] = []
    known = 0
    merged = 0
    for path in paths:
        reading = read_answers(path)
        defects += reading.defects
        answers = reading.data
        if answers is None:
            continue
        problem = _foreign_defect(study, packets, answers, path) or _signature_defect(
            study, answers, path
        )
        if problem is not None:
            defects.append(problem)
        elif answers.sha256 in stored or _is_prefix(answers, stored.values()):
            known += 1
            defects.append(note(Place(str(path)), "These answers were merged already."))
        else:
            stored[answers.sha256] = answers
            merged += 1
            for older in _earlier_histories(answers, stored.values()):
                del stored[older]
    new = [one for sha256, one in stored.items() if sha256 not in previous]
    store.change(new, sorted(previous - stored.keys()))
    return AnswerMerge(merged, known, (*defects, *find_conflicts(stored.values())))


def remove_answers(store: RatingStore, paths: Sequence[Path]) -> AnswerMerge:
    """Remove the answers of these files from the desk."""
    stored = {one.sha256 for one in store.histories()}
    removed: list[str] = []
    defects: list[Defect] = []
    for path in paths:
        reading = read_answers(path)
        defects += reading.defects
        if reading.data is not None and reading.data.sha256 in stored:
            removed.append(reading.data.sha256)
        elif reading.data is not None:
            defects.append(note(Place(str(path)), "These answers are not in the desk."))
    store.change([], removed)
    return AnswerMerge(len(removed), 0, (*defects, *find_conflicts(store.histories())))


def consistent_answers(answers: Iterable[RaterAnswers]) -> list[RaterAnswers]:
    """Return the answers without contradiction, one per rater, by rater."""
    return [found[0] for _, found in _by_rater(answers) if len(found) == 1]


def find_conflicts(answers: Iterable[RaterAnswers]) -> list[Defect]:
    """Return a defect per rater whose answers contradict each other."""
    return [
        error(
            Place(fill("rater {rater}", rater)),
            fill("{found} answers files contradict each other.", len(found)),
            "None of them counts.",
            "Remove all but one of them: `jurydesk ratings merge --forget`.",
        )
        for rater, found in _by_rater(answers)
        if len(found) > 1
    ]


def _by_rater(answers: Iterable[RaterAnswers]) -> list[tuple[str, list[RaterAnswers]]]:
    by_rater: dict[str, list[RaterAnswers]] = {}
    for one in answers:
        by_rater.setdefault(one.rater, []).append(one)
    return sorted(by_rater.items())


def _foreign_defect(
    study: RatingStudy, packets: dict[str, str], answers: RaterAnswers, path: Path
) -> Defect | None:
    """Return a defect if the answers do not belong to the study."""
    place = Place(str(path))
    if answers.packet not in packets:
        found = "The answers belong to a packet that this desk did not write, or that was altered."
        return error(place, found, hint="Check that they belong to this study.")
    if packets[answers.packet] != answers.rater:
        found = fill(
            "The answers name the rater {rater}, but the packet is another rater's.", answers.rater
        )
        return error(place, found)
    rater = next(one for one in study.raters if one.code == answers.rater)
    state = RaterState([task.id for task in rater.tasks], study.questionnaire)
    try:
        for event in answers.events:
            state.apply(event)
    except ValueError:
        number = state.number + 1
        found = fill("Event {number} cannot follow those before it: the file was altered.", number)
        return error(Place(str(path), line=number + 1), found)
    return None


def _signature_defect(study: RatingStudy, answers: RaterAnswers, path: Path) -> Defect | None:
    """Return a defect if the signature of the answers does not match the packet's key."""
    if answers.is_signed_with(study.answer_key(answers.rater)):
        return None
    found = (
        "The signature of the answers does not match their packet's key."
        if answers.signature
        else "The answers are not signed, although their packet has a key."
    )
    advice = "Ask the rater to save them again, with the packet and this version of Jurydesk."
    return error(Place(str(path)), found, "They were left out.", advice)


def _is_prefix(answers: RaterAnswers, histories: Iterable[RaterAnswers]) -> bool:
    """Return whether a longer history begins with these answers."""
    count = len(answers.events)
    return any(
        one.packet == answers.packet and one.events[:count] == answers.events for one in histories
    )


def _earlier_histories(answers: RaterAnswers, histories: Iterable[RaterAnswers]) -> list[str]:
    return [
        one.sha256
        for one in histories
        if one.packet == answers.packet
        and len(one.events) < len(answers.events)
        and answers.events[: len(one.events)] == one.events
    ]
