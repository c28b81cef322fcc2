"""Entry of a competition platform: what its records say of one submission."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from datetime import datetime
from typing import Any, Literal

from jurydesk.core.model.decoding import whole_number

_OF_TASK = re.compile(r"(.*\(\d+\)-)(.+)", re.DOTALL)
TEAM_ID = "team_id"
"""Detail that tells teams of one name apart."""
MAPPINGS = frozenset(("server", "full", "details"))
Known = Literal["exact", "day", ""]
"""How well a time of receipt is known: not at all if empty."""


@dataclass(frozen=True, slots=True)
class PlatformEntry:
    """Submission as its platform recorded it.

    `id`, `phase_id` and `file` (its name in the download, or the last part of its address) are the
    platform's. `received` is in UTC; of a `day` it is the beginning. `server` holds the numbers by
    column as the platform wrote them, `full` those that it wrote in full precision elsewhere, and
    `details` what one platform alone records.
    """

    platform: str
    id: str
    team: str = ""
    phase: str = ""
    phase_id: str = ""
    status: str = ""
    received: datetime | None = None
    received_known: Known = ""
    file: str = ""
    server: Mapping[str, str] = field(default_factory=dict)
    full: Mapping[str, str] = field(default_factory=dict)
    details: Mapping[str, Any] = field(default_factory=dict)

    @property
    def owner(self) -> str:
        """What tells teams of one name apart; empty if the platform has one team of the name."""
        return str(self.details.get(TEAM_ID, ""))

    @property
    def order(self) -> tuple[datetime, int] | None:
        """Key that orders entries of one team in time; None if no time is known.

        Numbers of entries increase, and decide between two of one day.
        """
        if self.received is None:
            return None
        return self.received, whole_number(self.id) or 0

    @property
    def numbers(self) -> dict[str, str]:
        """Numbers of the server by the titles of columns, those in full precision included.

        Codabench's columns begin with their task, which is left out unless several have the title;
        of these that of the task with the name of the phase has it.
        """
        titles: dict[str, list[tuple[str, str]]] = {}
        for column, text in self.server.items():
            match = _OF_TASK.fullmatch(column)
            titles.setdefault(match[2] if match else column, []).append((column, text))
        found = dict(self.server)
        for title, several in titles.items():
            own = [one for one in several if one[0].startswith(f"{self.phase}(")]
            if len(several) == 1 or len(own) == 1:
                column, text = own[0] if len(several) > 1 else several[0]
                del found[column]
                found[title] = text
        return {**found, **{name: text for name, text in self.full.items() if name not in found}}

    @property
    def time_text(self) -> str:
        """Time of receipt in UTC as ISO text, the date alone if no more is known; else empty."""
        if self.received is None:
            return ""
        exact = self.received_known == "exact"
        return self.received.isoformat() if exact else f"{self.received:%Y-%m-%d}"


def merged_entry(before: PlatformEntry | None, entry: PlatformEntry | None) -> PlatformEntry | None:
    """Return what earlier and later tables of a platform say together; the later ones win."""
    if (
        before is None
        or entry is None
        or (before.platform, before.id) != (entry.platform, entry.id)
    ):
        return entry or before
    known = {one.name: getattr(before, one.name) for one in fields(before)}
    news = {name: getattr(entry, name) for name in known if getattr(entry, name)}
    news |= {name: {**known[name], **news[name]} for name in news.keys() & MAPPINGS}
    if before.received_known == "exact" and entry.received_known == "day":
        del news["received"], news["received_known"]
    return PlatformEntry(**{**known, **news})


def entry_text(entry: PlatformEntry) -> str:
    """Return what the platform recorded in one line of its own words."""
    numbers = [f"{name} {number}" for name, number in entry.server.items()]
    facts = (entry.id, entry.phase or entry.phase_id, entry.status, *numbers)
    return f"{entry.platform}: {', '.join(filter(None, facts))}"


def entry_json(entry: PlatformEntry) -> dict[str, Any]:
    """Return an entry as JSON values; numbers of the platform that are integers are integers."""
    return {
        "platform": entry.platform,
        "id": _number(entry.id),
        "team": entry.team or None,
        "phase": entry.phase or None,
        "phase_id": _number(entry.phase_id),
        "status": entry.status or None,
        "received": entry.time_text or None,
        "received_known": entry.received_known or None,
        "file": entry.file or None,
        "server": dict(entry.server),
        **({"output_scores": dict(entry.full)} if entry.full else {}),
        **entry.details,
    }


def _number(text: str) -> Any:
    number = whole_number(text) if len(text) < 16 else None
    return (text or None) if number is None else number
