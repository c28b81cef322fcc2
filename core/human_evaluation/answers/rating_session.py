"""Rating a packet: what the page asks for, checked, kept on the disk, and then shown."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path

from jurydesk.core.human_evaluation.answers import answers_file
from jurydesk.core.human_evaluation.answers.answers_file import (
    AnswersFile,
    answers_bytes,
    make_answers,
)
from jurydesk.core.human_evaluation.answers.event_store import AnswersError, EventStore
from jurydesk.core.human_evaluation.answers.rater_state import Act, RaterState, RatingEvent
from jurydesk.core.human_evaluation.packets.packet import PacketContent, PacketPhoto
from jurydesk.core.human_evaluation.packets.packet_reader import read_packet
from jurydesk.core.model.evaluation import Json
from jurydesk.core.system.paths import data_folder, write_atomically

LONGEST_SECONDS = 86_400.0
PHOTOS = "/photos/"


def photo_address(name: str) -> str:
    """Where the page finds a photo of the packet."""
    return f"{PHOTOS}{name}.jpg"


def _photos(photos: Iterable[PacketPhoto]) -> list[Json]:
    """Pictures as the page knows them."""
    return [
        {"src": photo_address(one.name) if one.name else "", "missing": one.missing}
        for one in photos
    ]


def store_path(packet: str) -> Path:
    """Where the answers to a packet are kept on this computer."""
    folder = data_folder() / "answers"
    folder.mkdir(parents=True, exist_ok=True)
    return folder / f"{packet}.db"


def utc_seconds() -> str:
    """The time in UTC, to the second."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


class RatingSession:
    """A rater at work on a packet.

    What the rater sees is a function of the events in the store. At the end the answers are
    written beside the packet, where its place is known.
    """

    def __init__(
        self, content: PacketContent, store: EventStore, packet: Path | None = None
    ) -> None:
        self.content = content
        self._store = store
        self._packet = packet
        self._items = {item.id: item for item in content.items}
        self.events = store.events()
        try:
            self.sitting = RaterState(list(self._items), content.questionnaire, self.events)
        except ValueError as error:
            raise AnswersError(f"{store.path.name} is damaged: {error}.") from error

    def packet(self) -> Json:
        """What the page knows of the packet from the beginning."""
        return {
            "rater": self.content.rater,
            "questionnaire": self.content.questionnaire.to_json(),
            "words": self.content.words,
        }

    def do(self, act: Act, item: str, question: str, value: Json, seconds: float) -> Json:
        """Let one thing happen; `saved` is true only when it is on the disk."""
        spent = round(min(max(seconds, 0.0), LONGEST_SECONDS), 3)
        event = RatingEvent(
            self.sitting.number + 1, act, item, question, value, spent, utc_seconds()
        )
        if not self.sitting.possible(event):
            return {"saved": False, "view": self.view()}
        try:
            self._store.append([event])
        except AnswersError as error:
            return {"saved": False, "view": self.view(), "why": str(error)}
        self.sitting.apply(event)
        self.events.append(event)
        return {"saved": True, "view": self.view()}

    def view(self) -> Json:
        """What the page shows now."""
        view = self.sitting.view()
        if self.sitting.item:
            item = self._items[self.sitting.item]
            view["content"] = {
                "photos": _photos(item.photos),
                "stories": list(item.stories),
                "practice": item.practice,
                "context": [list(part) for part in item.context],
                "pictures": list(map(_photos, item.pictures)),
            }
        else:
            view["handed"] = self._hand_in()
        return view

    def _hand_in(self) -> str:
        """Write the answers beside the packet, and say where; the review shows the sentence."""
        if self._packet is None:
            return ""
        path = self._packet.with_suffix(answers_file.SUFFIX)
        try:
            self.save(path)
        except OSError:
            return "Save them by the menu: File, Save answers."
        return f"They are written to {path.name}, beside the packet: send that file."

    def save(self, path: Path) -> None:
        """Write the answers file; OSError where that is impossible."""
        kept = make_answers(self.content.sha256, self.content.rater, self.events, self.content.key)
        write_atomically(path, answers_bytes(kept))

    def close(self) -> None:
        """Let go of the store."""
        self._store.close()


def packet_folder(name: str) -> Path:
    """The folder of a packet that is rated here; `name` must belong to it alone."""
    folder = data_folder() / "packets" / name
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def local_answers(packet: Path) -> AnswersFile | None:
    """The answers given here to a packet; None where there are none.

    Raises AnswersError where the packet or its answers cannot be read, or are still being given.
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
