"""Merging answers: in any order, any number of times, and never by guessing.

Of one packet, a history that goes on where another one ends takes its place. Histories that
contradict each other are both kept and neither counts until one is forgotten, so that the result
does not depend on which came first.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from jurydesk.core.human_evaluation.answers.answers_file import AnswersFile, read_answers
from jurydesk.core.human_evaluation.answers.rater_state import RaterState
from jurydesk.core.human_evaluation.design.study import RatingStudy
from jurydesk.core.human_evaluation.design.study_store import AnswerHistory, RatingStore
from jurydesk.core.model.defects import Defect, Place, error, note

UNSIGNED = "The answers are not signed: their packet was written before packets had keys."


@dataclass(frozen=True, slots=True)
class AnswerMerge:
    """What a merge did: the files that were taken or were there already, and what was wrong."""

    taken: int
    known: int
    defects: tuple[Defect, ...]


def merge_answers(store: RatingStore, paths: Sequence[Path]) -> AnswerMerge:
    """Merge answers files into the desk; files with errors are left out and listed."""
    study = store.required_study()
    packets, signed = store.packets(), store.signed_packets()
    kept = {one.sha256: one for one in store.histories()}
    before = set(kept)
    defects: list[Defect] = []
    known = 0
    added: dict[str, AnswersFile] = {}
    for path in paths:
        reading = read_answers(path)
        defects += reading.defects
        answers = reading.data
        if answers is None:
            continue
        wrong = _foreign(study, packets, answers, path) or _forged(study, signed, answers, path)
        if wrong is not None:
            defects.append(wrong)
        elif answers.sha256 in kept or _is_begun_by(answers, kept.values()):
            known += 1
            defects.append(note(Place(str(path)), "These answers were merged already."))
        else:
            if answers.packet not in signed:
                defects.append(note(Place(str(path)), UNSIGNED))
            kept[answers.sha256] = AnswerHistory(answers.packet, answers.events, answers.sha256)
            added[answers.sha256] = answers
            for older in _continued_by(answers, kept.values()):
                del kept[older]
    new = [one for sha256, one in added.items() if sha256 in kept]
    store.change(new, sorted(before - kept.keys()))
    return AnswerMerge(len(added), known, (*defects, *find_conflicts(packets, kept.values())))


def remove_answers(store: RatingStore, paths: Sequence[Path]) -> AnswerMerge:
    """Take the answers of these files out of the desk again."""
    kept = {one.sha256 for one in store.histories()}
    removed: list[str] = []
    defects: list[Defect] = []
    for path in paths:
        reading = read_answers(path)
        defects += reading.defects
        if reading.data is not None and reading.data.sha256 in kept:
            removed.append(reading.data.sha256)
        elif reading.data is not None:
            defects.append(note(Place(str(path)), "These answers are not in the desk."))
    store.change([], removed)
    return AnswerMerge(
        len(removed), 0, (*defects, *find_conflicts(store.packets(), store.histories()))
    )


def consistent_histories(
    histories: Iterable[AnswerHistory], packets: dict[str, str]
) -> list[AnswerHistory]:
    """The histories that nothing contradicts: one for each rater."""
    by_rater: dict[str, list[AnswerHistory]] = {}
    for one in histories:
        by_rater.setdefault(packets[one.packet], []).append(one)
    return [found[0] for found in by_rater.values() if len(found) == 1]


def find_conflicts(packets: dict[str, str], histories: Iterable[AnswerHistory]) -> list[Defect]:
    """The raters whose answers contradict each other."""
    by_rater: dict[str, list[AnswerHistory]] = {}
    for one in histories:
        by_rater.setdefault(packets[one.packet], []).append(one)
    return [
        error(
            Place(f"rater {rater}"),
            f"There are {len(found)} files of answers that contradict each other.",
            "None of them counts.",
            "Forget all but one of them: `jurydesk ratings merge --forget`.",
        )
        for rater, found in sorted(by_rater.items())
        if len(found) > 1
    ]


def _foreign(
    study: RatingStudy, packets: dict[str, str], answers: AnswersFile, path: Path
) -> Defect | None:
    """Why answers do not belong to the study, if they do not."""
    place = Place(str(path))
    if answers.packet not in packets:
        found = "The answers are to a packet that this desk did not write, or that was altered."
        return error(place, found, hint="Check that they belong to this study.")
    if packets[answers.packet] != answers.rater:
        found = f"The answers name the rater {answers.rater}, but the packet is another rater's."
        return error(place, found)
    rater = next(one for one in study.raters if one.code == answers.rater)
    sitting = RaterState([task.id for task in rater.tasks], study.questionnaire)
    try:
        for event in answers.events:
            sitting.apply(event)
    except ValueError:
        number = sitting.number + 1
        found = f"Event {number} cannot follow those before it: the file was altered."
        return error(Place(str(path), line=number + 1), found)
    return None


def _forged(
    study: RatingStudy, signed: Collection[str], answers: AnswersFile, path: Path
) -> Defect | None:
    """Why answers were not given with their packet, if its key shows that."""
    if answers.packet not in signed or answers.is_signed_with(study.answer_key(answers.rater)):
        return None
    found = (
        "The answers are signed with another key than their packet's."
        if answers.signature
        else "The answers are not signed, though their packet has a key."
    )
    advice = "Ask the rater to save them again, with the packet and this version of Jurydesk."
    return error(Place(str(path)), found, "They were left out.", advice)


def _is_begun_by(answers: AnswersFile, histories: Iterable[AnswerHistory]) -> bool:
    """Whether some longer history begins with these answers."""
    count = len(answers.events)
    return any(
        one.packet == answers.packet and one.events[:count] == answers.events for one in histories
    )


def _continued_by(answers: AnswersFile, histories: Iterable[AnswerHistory]) -> list[str]:
    """The histories that these answers go on from."""
    return [
        one.sha256
        for one in histories
        if one.packet == answers.packet
        and len(one.events) < len(answers.events)
        and answers.events[: len(one.events)] == one.events
    ]
