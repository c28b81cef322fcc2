"""Rating session: requests of the page, checked and stored before they take effect."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import cast

from jurydesk.core.desk.tables.rating_tables import AnswersError, EventLog
from jurydesk.core.human_evaluation.answers import answers_file
from jurydesk.core.human_evaluation.answers.answers_file import (
    RaterAnswers,
    answers_bytes,
    make_answers,
)
from jurydesk.core.human_evaluation.answers.rater_state import Act, RaterState, RatingEvent
from jurydesk.core.human_evaluation.packets.packet import PacketContent, PacketPhoto
from jurydesk.core.human_evaluation.packets.packet_reader import read_packet
from jurydesk.core.human_evaluation.packets.rating_page import rating_catalogue
from jurydesk.core.language import Message, fill, translatable, translate_text
from jurydesk.core.model.evaluation import Json
from jurydesk.core.system.paths import data_folder, is_temporary_folder, write_atomically

MAX_SECONDS = 86_400.0
PHOTOS = "/photos/"


def _photos(photos: Iterable[PacketPhoto]) -> list[Json]:
    return [
        {"src": f"{PHOTOS}{one.name}.jpg" if one.name else "", "missing": one.missing}
        for one in photos
    ]


def store_path(packet: str) -> Path:
    """Return the path of the answers to a packet; AnswersError where they would be lost."""
    if is_temporary_folder(data_folder()):
        raise AnswersError(
            translatable(
                "No answer can be kept: the folder of data cannot be written. Set JURYDESK_HOME "
                "to one that can be."
            )
        )
    folder = data_folder() / "answers"
    folder.mkdir(parents=True, exist_ok=True)
    return folder / f"{packet}.db"


def utc_seconds() -> str:
    """Return the current UTC time, to the second."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


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


class RatingSession:
    """Session of a rater with a packet.

    The page shows a function of the stored events. At the end the answers are written beside the
    packet, if its path is known.
    """

    def __init__(
        self, content: PacketContent, store: EventStore, packet: Path | None = None
    ) -> None:
        self.content = content
        self._store = store
        self._packet = packet
        self._items = {item.id: item for item in content.items}
        self.events = store.events()
        self._written = 0
        """Number of the last event in a file of answers that this session wrote."""
        try:
            self.state = RaterState(list(self._items), content.questionnaire, self.events)
        except ValueError as error:
            raise AnswersError(
                fill("{name} is damaged: {error}.", store.path.name, Message(str(error)))
            ) from error

    def packet(self) -> Json:
        """Return what the page needs of the packet at the start."""
        return {
            "rater": self.content.rater,
            "questionnaire": self.content.questionnaire.to_json(),
            "words": self.content.words,
            "language": rating_catalogue(self.content.language),
        }

    def do(self, act: Act, item: str, question: str, value: Json, seconds: float) -> Json:
        """Perform an action; `saved` is True only if it is on the disk."""
        spent = round(min(max(seconds, 0.0), MAX_SECONDS), 3)
        event = RatingEvent(self.state.number + 1, act, item, question, value, spent, utc_seconds())
        if not self.state.possible(event):
            return {"saved": False, "view": self.view()}
        try:
            self._store.append([event])
        except AnswersError as error:
            return {"saved": False, "view": self.view(), "why": self._translate(str(error))}
        self.state.apply(event)
        self.events.append(event)
        return {"saved": True, "view": self.view()}

    def view(self) -> Json:
        """Return what the page shows now."""
        view = self.state.view()
        if self.state.item:
            item = self._items[self.state.item]
            view["content"] = {
                "photos": _photos(item.photos),
                "stories": list(item.stories),
                "practice": item.practice,
                "context": [list(part) for part in item.context],
                "pictures": list(map(_photos, item.pictures)),
            }
        else:
            view["handed"] = self._translate(self._hand_in())
            view["written"] = not self.is_local and self._written == self.state.number
        return view

    def _translate(self, text: str) -> str:
        return translate_text(text, self.content.language)

    def _hand_in(self) -> str:
        """Write the answers beside the packet, and return a sentence for the review.

        The desk takes those to a packet that it has opened itself: nobody has to send them.
        """
        if self._packet is None:
            return ""
        if self.is_local:
            return "Close this window: the answers are then merged into the desk."
        path = self._packet.with_suffix(answers_file.SUFFIX)
        try:
            self.save(path)
        except OSError:
            return "Save them by the menu: File, Save answers."
        return fill("They are written to {name}, beside the packet: send that file.", path.name)

    def save(self, path: Path) -> None:
        """Write the answers file; raises OSError if that fails."""
        content = self.content
        answers = make_answers(content.sha256, content.rater, self.events, content.key)
        write_atomically(path, answers_bytes(answers))
        self._written = self.state.number

    @property
    def folder(self) -> Path | None:
        """Folder in which the answers are written at the end, if there is one."""
        return None if self._packet is None else self._packet.parent

    @property
    def is_local(self) -> bool:
        """Whether a desk on this computer takes the answers by itself."""
        return self._packet is not None and self._packet.is_relative_to(packets_folder())

    @property
    def unsent(self) -> int:
        """How many entries have all their answers, if some are in no file that could be sent."""
        is_written = self.is_local or self._written == self.state.number
        return 0 if is_written else len(self.state.complete)

    def close(self) -> None:
        """Close the store."""
        self._store.close()


def packets_folder() -> Path:
    """Return the folder of the packets that are rated on this computer, each in its own folder."""
    return data_folder() / "packets"


def local_answers(packet: Path) -> RaterAnswers | None:
    """Return the answers to a packet on this computer; None if there are none.

    Raises AnswersError if the packet or its answers cannot be read, or are in use.
    """
    reading = read_packet(packet)
    if reading.data is None:
        raise AnswersError(reading.defects[0].found)
    content = reading.data
    path = store_path(content.sha256)
    if not path.exists():
        return None
    store = EventStore(path, content.sha256)
    try:
        events = store.events()
    finally:
        store.close()
    if not events:
        return None
    return make_answers(content.sha256, content.rater, events, content.key)
