"""What each rater of an imported table was shown, and the answers as events."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from jurydesk.core.human_evaluation.answers.answers_file import RaterAnswers, event_lines
from jurydesk.core.human_evaluation.answers.rater_state import RatingEvent
from jurydesk.core.human_evaluation.design.balanced_plan import Kind, PlannedItem, PlanRequest
from jurydesk.core.human_evaluation.design.questionnaire import RatingQuestion
from jurydesk.core.human_evaluation.design.study import RATER_CODE, Rater, RatingTask
from jurydesk.core.human_evaluation.imported.answer_values import Values, value_of
from jurydesk.core.human_evaluation.imported.rating_rows import RatingRow
from jurydesk.core.language import counted, fill
from jurydesk.core.model.defects import Defect, Place, note
from jurydesk.core.model.evaluation import Json


@dataclass(slots=True)
class ShownItem:
    """Item of a rater: the answers to systems that were shown together."""

    sequence: int
    systems: tuple[int, ...]
    kind: Kind
    answers: dict[str, Json] = field(default_factory=dict)
    seconds: float = 0.0


def shown_items(
    rows: Sequence[RatingRow],
    values: Values,
    questions: Mapping[str, RatingQuestion],
    systems: Sequence[str],
    items: Sequence[str],
) -> dict[str, list[ShownItem]]:
    """Return what each rater was shown, with the answers; a second answer is a repetition."""
    system_at = {name: place for place, name in enumerate(systems)}
    item_at = {name: place for place, name in enumerate(items)}
    by_rater: dict[str, list[ShownItem]] = {}
    open_at: dict[tuple[str, int, tuple[int, ...]], list[ShownItem]] = {}
    for row in rows:
        value, asked = value_of(row, values[row.statement]), questions.get(row.statement)
        if value is None or asked is None:
            continue
        together = tuple(system_at[one] for one in row.systems)
        sequence = item_at[row.item]
        before = open_at.setdefault((row.rater, sequence, tuple(sorted(together))), [])
        free = [one for one in before if asked.id not in one.answers and one.systems == together]
        if row.kind == "repeat":
            free = [one for one in free if one.kind == "repeat"]
        if not free:
            kind: Kind = "repeat" if before or row.kind == "repeat" else "story"
            free = [ShownItem(sequence, together, kind)]
            before.append(free[0])
            by_rater.setdefault(row.rater, []).append(free[0])
        shown = free[0]
        shown.answers[asked.id] = int(value) if asked.kind == "likert" else value
        shown.seconds = max(shown.seconds, row.seconds)
    return by_rater


def repeat_note(shown: Mapping[str, Sequence[ShownItem]], place: Place) -> Iterator[Defect]:
    """Yield a note on entries that a rater rated again."""
    repeated = sum(one.kind == "repeat" for found in shown.values() for one in found)
    if repeated:
        found = fill(
            "{entries} were rated again by the same rater.", counted(repeated, "entry", "entries")
        )
        yield note(place, found, "The first answer counts; the others show consistency.")


def rater_codes(raters: Sequence[str]) -> dict[str, str]:
    """Return a code for each rater: the name, if it can be one, else a number."""
    taken = {name for name in raters if RATER_CODE.fullmatch(name)}
    found: dict[str, str] = {}
    number = 0
    for name in raters:
        code = name
        while code not in taken or (code != name and code in found.values()):
            number += 1
            code = f"r{number:02}"
            if code not in taken and code not in found.values():
                break
        found[name] = code
    return found


def apparent_request(
    shown: Mapping[str, Sequence[ShownItem]], systems: int, items: int, stories: int
) -> PlanRequest:
    """Return the numbers of a plan that the table seems to follow."""
    counts = Counter(
        (one.sequence, tuple(sorted(one.systems)))
        for found in shown.values()
        for one in found
        if one.kind == "story"
    )
    usual = sorted(counts.values())[len(counts) // 2] if counts else 1
    return PlanRequest(systems, items, len(shown), usual, items, stories)


def tasks_of(rater: str, shown: Sequence[ShownItem], sha256: str) -> Iterator[RatingTask]:
    """Yield the items of a rater under ids that follow from the file."""
    for number, one in enumerate(shown):
        digest = hashlib.sha256(f"{sha256}\n{rater}\n{number}".encode()).hexdigest()
        yield RatingTask(digest[:16], PlannedItem(one.kind, one.sequence, one.systems))


def unsigned_answers(rater: Rater, shown: Sequence[ShownItem], sha256: str) -> RaterAnswers:
    """Return the answers of a rater as events, without a signature."""
    events: list[RatingEvent] = []
    for task, one in zip(rater.tasks, shown, strict=True):
        seconds = one.seconds
        for question, value in one.answers.items():
            events.append(RatingEvent(len(events) + 1, "answer", task.id, question, value, seconds))
            seconds = 0.0
        events.append(RatingEvent(len(events) + 1, "next", task.id))
    packet = hashlib.sha256(f"{sha256}\n{rater.code}".encode()).hexdigest()
    lines = hashlib.sha256(event_lines(events)).hexdigest()
    return RaterAnswers(packet, rater.code, tuple(events), lines)
