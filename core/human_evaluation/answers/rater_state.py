"""Events of a rater, and the rater's state as a function of them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Literal, get_args

from jurydesk.core.human_evaluation.design.questionnaire import PHOTOS_MISSING, Questionnaire
from jurydesk.core.language import fill
from jurydesk.core.model.evaluation import Json

Act = Literal["answer", "undo", "skip", "next", "previous"]
ACTS: tuple[str, ...] = get_args(Act)


@dataclass(frozen=True, slots=True)
class RatingEvent:
    """One action of a rater.

    The actions are to `answer` a question of an item, `undo` the last answer, `skip` an item, or go
    to the `next` or `previous` one. `number` counts from 1. `item` is the current item; `next` may
    name another one in `value`. `seconds` is the time since the previous event, measured by the
    page; `at` is ISO 8601.
    """

    number: int
    act: Act
    item: str = ""
    question: str = ""
    value: Json = None
    seconds: float = 0.0
    at: str = ""

    def to_json(self) -> dict[str, Json]:
        """Return the event as JSON values."""
        return {
            "n": self.number,
            "act": self.act,
            "item": self.item,
            "question": self.question,
            "value": self.value,
            "seconds": self.seconds,
            "at": self.at,
        }

    @classmethod
    def from_json(cls, data: Json) -> RatingEvent:
        """Decode an event; raise ValueError if it is invalid."""
        if not isinstance(data, dict) or data.keys() != _KINDS.keys():
            raise ValueError("it is not an event")
        if tuple(map(type, map(data.__getitem__, _KINDS))) not in _TYPES:
            name = next(name for name, kinds in _KINDS.items() if type(data[name]) not in kinds)
            raise ValueError(fill('"{name}" is {value}', name, repr(data[name])))
        if not abs(data["seconds"]) < math.inf:  # whole numbers may be beyond any fraction
            raise ValueError(fill('"seconds" is {value}', repr(data["seconds"])))
        if data["act"] not in ACTS:
            raise ValueError(fill('"{act}" is not an action', data["act"]))
        return cls(*map(data.__getitem__, _KINDS))


_KINDS: Mapping[str, tuple[type, ...]] = {
    "n": (int,),
    "act": (str,),
    "item": (str,),
    "question": (str,),
    "value": (int, float, str, list, bool, type(None)),
    "seconds": (float, int),
    "at": (str,),
}
"""Members of an event, in the order of its fields."""
_TYPES = frozenset(product(*_KINDS.values()))


class RaterState:
    """State of a rater in a packet, computed from the events.

    Items are in `queue`; `place` is the index of the current one, and the queue's length at the
    review.
    """

    def __init__(
        self, items: Sequence[str], questionnaire: Questionnaire, events: Iterable[RatingEvent] = ()
    ) -> None:
        self.questionnaire = questionnaire
        self.queue = list(items)
        self.place = 0
        self.reviewing = False
        self.current = questionnaire.questions[0].id
        self.answers: dict[str, dict[str, Json]] = {id: {} for id in items}
        self.complete: set[str] = set()
        self.number = 0
        self._required = questionnaire.required
        self._given: list[tuple[str, str, Json]] = []
        for event in events:
            self.apply(event)

    @property
    def item(self) -> str:
        """Current item; empty at the review."""
        return self.queue[self.place] if self.place < len(self.queue) else ""

    def possible(self, event: RatingEvent) -> bool:
        """Return whether the event is possible now."""
        if event.number != self.number + 1 or event.item != self.item:
            return False
        if event.act == "answer":
            return bool(self.item) and self.questionnaire.accepts(event.question, event.value)
        if event.question or (event.value is not None and event.act != "next"):
            return False
        if event.act == "undo":
            return bool(self._given)
        if event.act == "skip":
            return not self.reviewing and self.place < len(self.queue) - 1
        if event.act == "previous":
            return self.place > 0
        return self._can_go_to(event.value)

    def _can_go_to(self, target: Json) -> bool:
        if target is not None:
            return self.reviewing and isinstance(target, str) and target in self.answers
        return bool(self.item) and (self.reviewing or self.item in self.complete)

    def apply(self, event: RatingEvent) -> None:
        """Apply an event; raise ValueError if it is impossible."""
        if not self.possible(event):
            raise ValueError(
                fill(
                    "event {number} ({act}) cannot follow those before it", event.number, event.act
                )
            )
        self.number = event.number
        if event.act == "answer":
            self._answer(event.question, event.value)
        elif event.act == "undo":
            self._undo()
        elif event.act == "skip":
            self.queue.append(self.queue.pop(self.place))
            self._choose_question()
        elif event.act == "previous":
            self._go_to(self.place - 1)
        elif event.value is not None:
            self._go_to(self.queue.index(event.value))
        else:
            self._go_to(len(self.queue) if self.reviewing else self.place + 1)

    def _answer(self, question: str, value: Json) -> None:
        item = self.item
        self._given.append((item, question, self.answers[item].get(question)))
        self._set_answer(item, question, value)
        self.current = self._question_after(question)

    def _undo(self) -> None:
        item, question, before = self._given.pop()
        self._set_answer(item, question, before)
        self.place = self.queue.index(item)
        self.current = question if question != PHOTOS_MISSING else self._first_open()

    def _set_answer(self, item: str, question: str, value: Json) -> None:
        answers = self.answers[item]
        if value is None:
            answers.pop(question, None)
        else:
            answers[question] = value
        if PHOTOS_MISSING in answers or all(id in answers for id in self._required):
            self.complete.add(item)
        else:
            self.complete.discard(item)

    def _go_to(self, place: int) -> None:
        self.place = place
        if place == len(self.queue):
            self.reviewing = True
        self._choose_question()

    def _choose_question(self) -> None:
        self.current = self._first_open() if self.item else ""

    def _first_open(self) -> str:
        """Return the first unanswered question of the current item, else the first."""
        questions = self.questionnaire.questions
        answers = self.answers[self.item]
        return next((one.id for one in questions if one.id not in answers), questions[0].id)

    def _question_after(self, question: str) -> str:
        """Return the question after an answer: the next unanswered one, else the next."""
        ids = [one.id for one in self.questionnaire.questions]
        if question not in ids:
            return self.current
        at = ids.index(question)
        answers = self.answers[self.item]
        after = [id for id in (*ids[at + 1 :], *ids[:at]) if id not in answers]
        return after[0] if after else ids[min(at + 1, len(ids) - 1)]

    def view(self) -> dict[str, Json]:
        """Return what the page shows, as JSON values; the list of all items only at the review."""
        view: dict[str, Json] = {
            "item": self.item,
            "place": self.place,
            "total": len(self.queue),
            "done": len(self.complete),
            "current": self.current,
            "answers": self.answers[self.item] if self.item else {},
            "complete": self.item in self.complete,
            "reviewing": self.reviewing,
            "undo": bool(self._given),
            "number": self.number,
        }
        if not self.item:
            view["review"] = [[id, id in self.complete, len(self.answers[id])] for id in self.queue]
        return view


def final_answers(
    items: Sequence[str], questionnaire: Questionnaire, events: Sequence[RatingEvent]
) -> dict[str, dict[str, Json]]:
    """Return the answers to each item after all events; raise ValueError if one is impossible."""
    plain = _plain_answers(items, questionnaire, events)
    return RaterState(items, questionnaire, events).answers if plain is None else plain


def _plain_answers(
    items: Sequence[str], questionnaire: Questionnaire, events: Sequence[RatingEvent]
) -> dict[str, dict[str, Json]] | None:
    """Return the answers to items that were answered one after the other; None if otherwise.

    Imported ratings are such events, and may be millions.
    """
    answers: dict[str, dict[str, Json]] = {id: {} for id in items}
    required, order = questionnaire.required, iter(answers)
    item = next(order, "")
    given = answers.get(item, {})
    for number, event in enumerate(events, 1):
        if event.number != number or event.item != item or not item:
            return None
        if event.act == "answer" and event.value is not None:
            if not questionnaire.accepts(event.question, event.value):
                return None
            given[event.question] = event.value
        elif event.act == "next" and event.value is None and not event.question and given:
            if PHOTOS_MISSING not in given and not all(id in given for id in required):
                return None
            item = next(order, "")
            given = answers.get(item, {})
        else:
            return None
    return answers
