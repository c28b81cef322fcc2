"""Storage of a study in a desk: plan, packets, and merged answers."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from jurydesk.core.desk import Desk, DeskError
from jurydesk.core.desk.tables.rating_tables import RatingTables
from jurydesk.core.desk.tables.submission_table import read_setting, set_setting
from jurydesk.core.human_evaluation.answers.answers_file import RaterAnswers, event_lines
from jurydesk.core.human_evaluation.answers.rater_state import RatingEvent
from jurydesk.core.human_evaluation.design.study import RatingStudy, study_from_json
from jurydesk.core.language import fill
from jurydesk.core.model.evaluation import Json, Source

RATER_NAMES = "rater names"
"""Name of the setting."""


@dataclass(frozen=True, slots=True)
class PackedPlan:
    """A study with the raters of its packets, by SHA-256."""

    study: RatingStudy
    packets: Mapping[str, str]


class RatingStore(RatingTables):
    """Study of a desk, with its packets and answers."""

    def study(self) -> RatingStudy | None:
        """Return the study, or None if nothing is planned."""
        return self.read_study(study_from_json)

    def required_study(self) -> RatingStudy:
        """Return the study; raise DeskError if nothing is planned."""
        study = self.study()
        if study is None:
            raise DeskError(
                fill(
                    "{name} has no rating plan. `jurydesk ratings plan` creates one.",
                    self.desk.path.name,
                )
            )
        return study

    def set_study(self, study: RatingStudy) -> None:
        """Replace the study; raise DeskError if the present one has answers."""
        if not self.write_study(study.to_json()):
            raise DeskError(
                fill(
                    "{name} has answers to its rating plan. Choose another desk file for a "
                    "new plan.",
                    self.desk.path.name,
                )
            )

    def plan(self) -> PackedPlan:
        """Return the study with its packets; raise DeskError if nothing is planned."""
        return PackedPlan(self.required_study(), self.packets())

    def set_plan(self, plan: PackedPlan) -> None:
        """Replace study and packets; raise DeskError if the present study has answers."""
        self.set_study(plan.study)
        for sha256, rater in plan.packets.items():
            self.add_packet(sha256, rater)

    def rater_names(self) -> dict[str, str]:
        """Return the names that the organiser gave to raters, by code; no packet has them."""
        stored = read_setting(self.desk, RATER_NAMES)
        named = stored.items() if isinstance(stored, dict) else ()
        return {code: name for code, name in named if isinstance(name, str)}

    def name_rater(self, code: str, name: str) -> None:
        """Give a rater a name; an empty one removes it."""
        names = {**self.rater_names(), code: name}
        kept = {one: given for one, given in names.items() if given}
        set_setting(self.desk, RATER_NAMES, kept)

    def answered_packets(self) -> list[str]:
        """Return the packets with merged answers, by SHA-256."""
        return sorted(set(self.answers().values()))

    def fingerprint(self) -> str:
        """Return a hash of the study and of all merged answers; empty without answers."""
        study, answers = self.packed_study(), self.answers()
        if study is None or not answers:
            return ""
        return hashlib.sha256(b"".join((study, *map(str.encode, answers)))).hexdigest()

    def histories(self) -> tuple[RaterAnswers, ...]:
        """Return all merged answers, by packet."""
        return self.read_histories(_decode)

    def change(self, added: Sequence[RaterAnswers], removed: Sequence[str]) -> None:
        """Add answers and remove those with these hashes, in one transaction."""
        rows = ((one.sha256, one.packet, len(one.events), event_lines(one.events)) for one in added)
        self.change_answers(rows, removed)


def ratings_source(desk: Desk) -> Source | None:
    """Return the desk as the source of its ratings, with their hash; None without answers."""
    sha256 = RatingStore(desk).fingerprint()
    return Source("ratings", str(desk.path.absolute()), 0, sha256) if sha256 else None


def copy_ratings(source: RatingStore, target: RatingStore) -> None:
    """Copy study, packets and answers of a desk into another one without a study."""
    target.set_plan(source.plan())
    target.change(source.histories(), [])


def _decode(packet: str, rater: str, sha256: str, lines: bytes) -> RaterAnswers:
    # Not splitlines: a comment may contain a Unicode line separator.
    listed: list[Json] = json.loads(b"[%b]" % b",".join(lines.split(b"\n")[:-1]))
    return RaterAnswers(packet, rater, tuple(map(RatingEvent.from_json, listed)), sha256)
