"""The rater's answers on the disk, as events."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import cast

from jurydesk.core.desk.rating_tables import AnswersError, EventLog
from jurydesk.core.human_evaluation.answers.rater_state import Act, RatingEvent

__all__ = ["AnswersError", "EventStore"]


class EventStore(EventLog):
    """The events of one rater in one packet; one program at a time may have it open."""

    def events(self) -> list[RatingEvent]:
        """Return all events in their order."""
        return [
            RatingEvent(number, cast(Act, act), item, question, json.loads(value), seconds, at)
            for number, act, item, question, value, seconds, at in self.rows()
        ]

    def append(self, events: Sequence[RatingEvent]) -> None:
        """Keep events, all or none; when this returns they are on the disk."""
        self.append_rows(
            [
                (e.number, e.act, e.item, e.question, json.dumps(e.value), e.seconds, e.at)
                for e in events
            ]
        )
