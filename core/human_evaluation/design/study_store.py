"""What a desk keeps of a study: plan, packets that were given out, and the answers merged."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass

from jurydesk.core.desk import Desk, DeskError
from jurydesk.core.desk.rating_tables import HistoryRow, RatingTables
from jurydesk.core.human_evaluation.answers.answers_file import AnswersFile, event_lines
from jurydesk.core.human_evaluation.answers.rater_state import RatingEvent
from jurydesk.core.human_evaluation.design.study import RatingStudy, study_from_json
from jurydesk.core.model.evaluation import Json


@dataclass(frozen=True, slots=True)
class AnswerHistory:
    """A rater's events in a packet, as one answers file told them."""

    packet: str
    events: tuple[RatingEvent, ...]
    sha256: str


class RatingStore:
    """The study of a desk, its packets and answers."""

    def __init__(self, desk: Desk) -> None:
        self._tables = RatingTables(desk)

    def study(self) -> RatingStudy | None:
        """The study, or None as long as nothing is planned."""
        return self._tables.study(study_from_json)

    def required_study(self) -> RatingStudy:
        """The study; DeskError where nothing is planned."""
        study = self.study()
        if study is None:
            raise DeskError(
                f"{self._tables.desk.path.name} holds no rating plan yet. `jurydesk ratings plan` "
                "makes one."
            )
        return study

    def set_study(self, study: RatingStudy) -> None:
        """Keep a study in the place of the one before; DeskError where that has answers."""
        if not self._tables.set_study(study.to_json()):
            raise DeskError(
                f"{self._tables.desk.path.name} holds answers to its rating plan. Choose another "
                "desk file for a new plan."
            )

    def packets(self) -> dict[str, str]:
        """The raters by the SHA-256 of the packets that were written for them."""
        return self._tables.packets()

    def add_packet(self, sha256: str, rater: str, *, signed: bool = False) -> None:
        """Remember a packet that was written, and whether it has a key that signs its answers."""
        self._tables.add_packet(sha256, rater, signed=signed)

    def signed_packets(self) -> frozenset[str]:
        """The packets whose answers have to be signed, by SHA-256."""
        return self._tables.signed_packets()

    def answered(self) -> list[str]:
        """The packets that answers were merged of, by SHA-256."""
        return sorted(set(self._tables.answers().values()))

    def fingerprint(self) -> str:
        """A hash of the study and of all answers merged so far; empty where there is no answer."""
        study, answers = self._tables.packed_study(), self._tables.answers()
        if study is None or not answers:
            return ""
        return hashlib.sha256(b"".join((study, *map(str.encode, answers)))).hexdigest()

    def histories(self) -> tuple[AnswerHistory, ...]:
        """All answers merged so far, by packet."""
        return self._tables.histories(_history)

    def change(self, added: list[AnswersFile], removed: list[str]) -> None:
        """Keep new answers and forget those of these hashes, in one transaction."""
        rows = [
            HistoryRow(one.sha256, one.packet, len(one.events), event_lines(one.events))
            for one in added
        ]
        self._tables.change_answers(rows, removed)


def _history(row: HistoryRow) -> AnswerHistory:
    # Not splitlines: a comment may hold what Unicode calls the end of a line.
    listed: list[Json] = json.loads(b"[%b]" % b",".join(row.lines.split(b"\n")[:-1]))
    return AnswerHistory(row.packet, tuple(map(RatingEvent.from_json, listed)), row.sha256)
