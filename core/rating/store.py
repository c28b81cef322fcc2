"""What a desk keeps of a study: plan, packets that were given out, and the answers merged."""

from __future__ import annotations

import hashlib
import json
import zlib
from dataclasses import dataclass

from core.desk import Desk, DeskError
from core.model import Json
from core.rating.answers import Answers, event_lines
from core.rating.sitting import Event
from core.rating.study import Study, study_from_json

LARGEST_STUDY = 1 << 30


@dataclass(frozen=True, slots=True)
class History:
    """A rater's events in a packet, as one answers file told them."""

    packet: str
    events: tuple[Event, ...]
    sha256: str


class RatingStore:
    """The tables of a desk that belong to its study."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    def study(self) -> Study | None:
        """The study, or None as long as nothing is planned."""
        with self._desk.reading() as connection:
            row = connection.execute("SELECT content FROM rating_study").fetchone()
        return None if row is None else study_from_json(json.loads(zlib.decompress(row[0])))

    def required_study(self) -> Study:
        """The study; DeskError where nothing is planned."""
        study = self.study()
        if study is None:
            raise DeskError(
                f"{self._desk.path.name} holds no rating plan yet. `jurydesk ratings plan` makes "
                "one."
            )
        return study

    def set_study(self, study: Study) -> None:
        """Keep a study in the place of the one before; DeskError where that has answers."""
        content = zlib.compress(json.dumps(study.to_json()).encode("utf-8", "replace"))
        with self._desk.writing() as connection:
            if connection.execute("SELECT 1 FROM rating_history LIMIT 1").fetchone():
                raise DeskError(
                    f"{self._desk.path.name} holds answers to its rating plan. Choose another "
                    "desk file for a new plan."
                )
            connection.execute("DELETE FROM rating_packet")
            connection.execute("INSERT OR REPLACE INTO rating_study VALUES (1, ?)", (content,))

    def packets(self) -> dict[str, str]:
        """The raters by the SHA-256 of the packets that were written for them."""
        with self._desk.reading() as connection:
            return dict(connection.execute("SELECT sha256, rater FROM rating_packet").fetchall())

    def add_packet(self, sha256: str, rater: str) -> None:
        """Remember a packet that was written."""
        with self._desk.writing() as connection:
            connection.execute("INSERT OR IGNORE INTO rating_packet VALUES (?, ?)", (sha256, rater))

    def answered(self) -> list[str]:
        """The packets that answers were merged of, by SHA-256."""
        with self._desk.reading() as connection:
            rows = connection.execute("SELECT DISTINCT packet FROM rating_history").fetchall()
        return [packet for (packet,) in rows]

    def fingerprint(self) -> str:
        """A hash of the study and of all answers merged so far; empty where there is no answer."""
        with self._desk.reading() as connection:
            study = connection.execute("SELECT content FROM rating_study").fetchone()
            rows = connection.execute("SELECT sha256 FROM rating_history ORDER BY sha256")
            answers = [sha256 for (sha256,) in rows]
        if study is None or not answers:
            return ""
        return hashlib.sha256(b"".join((study[0], *map(str.encode, answers)))).hexdigest()

    def histories(self) -> tuple[History, ...]:
        """All answers merged so far, by packet."""
        with self._desk.reading() as connection:
            rows = connection.execute(
                "SELECT packet, content, sha256 FROM rating_history ORDER BY packet, sha256"
            ).fetchall()
        return tuple(
            History(packet, tuple(map(Event.from_json, _lines(content))), sha256)
            for packet, content, sha256 in rows
        )

    def change(self, added: list[Answers], removed: list[str]) -> None:
        """Keep new answers and forget those of these hashes, in one transaction."""
        packed = [
            (one.sha256, one.packet, len(one.events), zlib.compress(event_lines(one.events), 1))
            for one in added
        ]
        with self._desk.writing() as connection:
            connection.executemany(
                "DELETE FROM rating_history WHERE sha256 = ?", [(one,) for one in removed]
            )
            connection.executemany(
                "INSERT OR IGNORE INTO rating_history VALUES (?, ?, ?, ?)", packed
            )


def _lines(content: bytes) -> list[Json]:
    # Not splitlines: a comment may hold what Unicode calls the end of a line.
    lines = zlib.decompress(content).split(b"\n")[:-1]
    listed: list[Json] = json.loads(b"[%b]" % b",".join(lines))
    return listed
