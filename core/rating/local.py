"""Answers that were given on this computer: an organiser who rates need not send himself a file."""

from __future__ import annotations

from pathlib import Path

from core.paths import data_folder
from core.rating.answers import Answers, answers_of
from core.rating.events import AnswersError, EventStore
from core.rating.packet_reader import read_packet
from core.rating.session import store_path


def packet_folder(name: str) -> Path:
    """The folder of a packet that is rated here; `name` must belong to it alone."""
    folder = data_folder() / "packets" / name
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def local_answers(packet: Path) -> Answers | None:
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
    return answers_of(content.sha256, content.rater, events) if events else None
