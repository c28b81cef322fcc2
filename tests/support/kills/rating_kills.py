"""Raters whose program is killed: `python -m support.kills.rating_kills FOLDER ROUNDS SEED`.

Every round is a fork that answers without a pause and reports through a pipe which events are
saved; it is killed at a random moment. Then the store is opened again: every saved event must be
there, the database must be sound, and the rater's position must follow from the last event.
A round lasts milliseconds, so that a hundred of them end soon.
"""

from __future__ import annotations

import json
import os
import random
import signal
import sqlite3
import sys
import time
from pathlib import Path

from jurydesk.core.human_evaluation.answers.rater_state import RaterState, RatingEvent
from jurydesk.core.human_evaluation.answers.rating_session import EventStore, RatingSession
from jurydesk.core.human_evaluation.packets.packet import PacketContent
from support.rating import random_answers, studies

LONGEST_SLEEP = 0.04
SHARE_AT_WORK = 0.8


def rate_until_killed(content: PacketContent, path: Path, saved: int, seed: int) -> None:
    """Perform random actions of a rater, and report how many events are saved after each."""
    dice = random.Random(seed)
    session = RatingSession(content, EventStore(path, content.sha256))
    while True:
        event = random_answers.random_event(session.state, dice)
        reply = session.do(event.act, event.item, event.question, event.value, 0.1)
        if reply["saved"]:
            os.write(saved, session.state.number.to_bytes(4, "little"))


def kill_round(content: PacketContent, path: Path, dice: random.Random) -> int:
    """Return how many events were reported as saved in this round; 0 if the kill came before."""
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        os.close(reading)
        try:
            rate_until_killed(content, path, writing, dice.randrange(2**32))
        finally:
            os._exit(1)
    os.close(writing)
    # Most kills wait for the first answer, even on a busy machine; the others hit the start.
    saved = os.read(reading, 4) if dice.random() < SHARE_AT_WORK else b""
    time.sleep(dice.uniform(0, LONGEST_SLEEP))
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    while block := os.read(reading, 1 << 16):
        saved += block
    os.close(reading)
    return int.from_bytes(saved[-4:], "little") if saved else 0


def check(
    content: PacketContent, path: Path, saved: int, before: list[RatingEvent]
) -> list[RatingEvent]:
    """Open the store as the next start of the program does; return its events."""
    connection = sqlite3.connect(path)
    assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    connection.close()
    session = RatingSession(content, EventStore(path, content.sha256))
    events = session.events
    assert events[: len(before)] == before
    assert len(events) >= saved
    ids = [item.id for item in content.items]
    expected = RaterState(ids, content.questionnaire, events)
    assert session.state.view() == expected.view()
    assert [event.number for event in events] == list(range(1, len(events) + 1))
    session.close()
    return events


def main(folder: Path, rounds: int, seed: int) -> None:
    content = studies.contents(studies.study(sequences=12, raters=4, ratings=2))[0]
    path = folder / "killed.db"
    dice = random.Random(seed)
    events: list[RatingEvent] = []
    saved = []
    for _ in range(rounds):
        saved.append(kill_round(content, path, dice))
        events = check(content, path, saved[-1], events)
    print(json.dumps({"rounds": rounds, "events": len(events), "hit": sum(n > 0 for n in saved)}))


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]))
