"""Store of a rater's answers on disk, as events."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import cast

from jurydesk.core.desk.tables.rating_tables import AnswersError, EventLog
from jurydesk.core.human_evaluation.answers.rater_state import Act, RatingEvent

__all__ = ["AnswersError", "EventStore"]


class EventStore(EventLog):
    """Events of one rater in one packet, with exclusive access for one program."""

    def events(self) -> list[RatingEvent]:
        """Return all events in their order."""
        return [
            RatingEvent(number, cast(Act, act), item, question, json.loads(value), seconds, at)
            for number, act, item, question, value, seconds, at in self.rows()
        ]

    def append(self, events: Sequence[RatingEvent]) -> None:
        """Append events, all or none, and wait until they are on the disk."""
        self.append_rows(
            [
                (e.number, e.act, e.item, e.question, json.dumps(e.value), e.seconds, e.at)
                for e in events
            ]
        )
