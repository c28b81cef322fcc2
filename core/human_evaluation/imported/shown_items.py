"""What each rater of an imported table was shown, and the answers as events."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import count

from jurydesk.core.human_evaluation.answers.answers_file import RaterAnswers, event_lines
from jurydesk.core.human_evaluation.answers.rater_state import RatingEvent
from jurydesk.core.human_evaluation.design.balanced_plan import Kind, PlanRequest, planned_item
from jurydesk.core.human_evaluation.design.questionnaire import RatingQuestion
from jurydesk.core.human_evaluation.design.study import (
    RATER_CODE,
    Rater,
    RatingTask,
    numbered_id,
)
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


@dataclass(slots=True)
class AlikeItems:
    """Items of one rater with the same systems in the same order, in that of the table."""

    items: list[ShownItem] = field(default_factory=list)
    places: dict[tuple[str, bool], int] = field(default_factory=dict)
    """First item that may be without an answer to a question, or the first such repetition."""

    def open_item(self, question: str, *, is_repeat: bool) -> ShownItem | None:
        """Return the first item, or repetition, without an answer to the question."""
        place = self.places.get((question, is_repeat), 0)
        while place < len(self.items):
            one = self.items[place]
            if question not in one.answers and (one.kind == "repeat" or not is_repeat):
                break
            place += 1
        self.places[question, is_repeat] = place
        return self.items[place] if place < len(self.items) else None


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
    places = cache(lambda names: tuple(system_at[one] for one in names))
    unordered = cache(lambda together: tuple(sorted(together)))
    by_rater: dict[str, list[ShownItem]] = {}
    alike: dict[tuple[str, int, tuple[int, ...]], AlikeItems] = {}
    seen: set[tuple[str, int, tuple[int, ...]]] = set()
    for row in rows:
        value, asked = value_of(row, values[row.statement]), questions.get(row.statement)
        if value is None or asked is None:
            continue
        together, sequence = places(row.systems), item_at[row.item]
        key, is_repeat = (row.rater, sequence, together), row.kind == "repeat"
        found = alike.get(key)
        if found is None:
            found = alike[key] = AlikeItems()
        shown = found.open_item(asked.id, is_repeat=is_repeat)
        if shown is None:
            of_any_order = (row.rater, sequence, unordered(together))
            kind: Kind = "repeat" if is_repeat or of_any_order in seen else "story"
            seen.add(of_any_order)
            shown = ShownItem(sequence, together, kind)
            found.items.append(shown)
            by_rater.setdefault(row.rater, []).append(shown)
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
    numbers = (code for number in count(1) if (code := f"r{number:02}") not in taken)
    return {name: name if name in taken else next(numbers) for name in raters}


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


def tasks_of(rater: int, shown: Sequence[ShownItem]) -> Iterator[RatingTask]:
    """Yield the items of a rater, whose ids are numbers: no packet hides anything.

    They differ between raters, as equal histories of answers are stored once.
    """
    for number, one in enumerate(shown):
        yield RatingTask(
            numbered_id(rater, number), planned_item(one.kind, one.sequence, one.systems)
        )


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
