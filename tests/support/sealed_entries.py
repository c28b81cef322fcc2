"""A small competition that takes sealed entries: ranked lists of six queries, two published."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from jurydesk.core.cli import main
from jurydesk.core.competition.task import AnyTask
from jurydesk.core.competition.task_registry import registry
from jurydesk.core.desk import Desk
from jurydesk.core.execution.run import Run
from jurydesk.core.participant_kit.kit import EntryKeys, ParticipantKit
from jurydesk.core.sealed.entry_file import EntryClaims, seal_entry
from jurydesk.core.sealed.key_store import KeyPair, key_pair
from jurydesk.core.workflow.entries.entry_kit import record_kit
from jurydesk.core.workflow.entries.entry_policy import EntryPolicy, set_policy
from jurydesk.core.workflow.entries.entry_review import reference_sha256
from jurydesk.core.workflow.entries.look import EntryOutcome, approve_key, open_entries

QUERIES = 24
OPEN = EntryPolicy(day=0, month=0, total=3, approval=False)
"""A policy whose budget does not depend on the day of the test."""


def ranked_lists(places: Sequence[int]) -> str:
    """Return ranked lists with the relevant item of each query at a place, from 1."""
    lines = []
    for query in range(QUERIES):
        place = places[query % len(places)]
        names = [f"d{one}" for one in range(1, 6)]
        names.insert(place - 1, "rel")
        lines += [f"q{query} Q0 {name} {n} {9 - n} x\n" for n, name in enumerate(names, start=1)]
    return "".join(lines)


@dataclass
class Contest:
    """Desk with two published systems, the organiser's key, and a kit that was handed out."""

    folder: Path
    desk: Desk
    organiser: KeyPair
    kit: ParticipantKit

    @classmethod
    def make(cls, folder: Path, policy: EntryPolicy = OPEN) -> Contest:
        """Make the competition in an empty folder."""
        relevance, desk = folder / "q.txt", folder / "contest.jurydesk"
        relevance.write_text("".join(f"q{one} 0 rel 1\n" for one in range(QUERIES)))
        results = [folder / "first.txt", folder / "second.txt"]
        results[0].write_text(ranked_lists([1, 2, 3]))
        results[1].write_text(ranked_lists([4, 5, 6]))
        files = ["--relevance", relevance, "--results", *results]
        assert (
            main([*map(str, ("score", "keyword-spotting", *files, "--desk", desk, "--quiet"))]) == 0
        )
        opened = Desk.open(desk)
        organiser = key_pair("organiser", folder / "organiser")[0]
        keys = EntryKeys(organiser.text, organiser.encryption_text, reference_sha256(opened))
        kit = ParticipantKit("keyword-spotting", "Spotting", "0", {}, (), (), keys)
        record_kit(opened, kit)
        contest = cls(folder, opened, organiser, kit)
        contest.set_policy(policy)
        return contest

    def copy(self, folder: Path) -> Contest:
        """Return a copy of the competition in another folder, with its own desk and keys."""
        shutil.copytree(self.folder, folder, dirs_exist_ok=True)
        desk = Desk.open(folder / self.desk.path.name)
        return Contest(folder, desk, self.organiser, self.kit)

    @property
    def task(self) -> AnyTask:
        return registry().tasks["keyword-spotting"]

    def set_policy(self, policy: EntryPolicy) -> None:
        """Set the policy of the desk."""
        set_policy(self.desk, self.task, policy)

    def change_policy(self, **changes: Any) -> None:
        """Set the usual policy with changes."""
        self.set_policy(replace(OPEN, **changes))

    def key(self, home: str) -> KeyPair:
        """Return the key of a team at home."""
        return key_pair("team", self.folder / home)[0]

    def seal(
        self,
        places: Sequence[int],
        team: str = "North",
        home: str = "",
        *,
        name: str = "entry",
        text: str = "",
        **claims: str,
    ) -> Path:
        """Return an entry with ranked lists, or with a text."""
        source, target = self.folder / "run.txt", self.folder / f"{name}.juryentry"
        source.write_text(text or ranked_lists(places))
        said = EntryClaims("Spotting", self.kit.sha256, team)
        recipient = self.organiser.public_encryption
        key = self.key(home or "north")
        said = replace(said, **claims)
        seal_entry(target, {"run.txt": source}, said, key, recipient, Run())
        return target

    def open(self, *entries: Path, reason: str = "") -> list[EntryOutcome]:
        """Open entries."""
        return open_entries(self.desk, self.task, entries, self.organiser, Run(), reason=reason)

    def look(self, places: Sequence[int], team: str = "North", home: str = "") -> EntryOutcome:
        """Seal and open one entry."""
        (outcome,) = self.open(self.seal(places, team, home))
        return outcome

    def approve(self, home: str, team: str) -> None:
        """Approve the key of a home for a team."""
        approve_key(self.desk, self.key(home).public, team)
