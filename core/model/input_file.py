"""File of a competition: one record from the command line or the drop to the row of a desk."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from pathlib import Path

from jurydesk.core.model.platform_entry import PlatformEntry

Parts = tuple[str, ...]
"""Path of a file below the folder or archive that was given."""

RULED = (
    *("team", "sha256", "files", "changed", "received", "late"),
    *("system", "twin", "counts_instead"),
)
"""Fields that the rules for submissions set; without them a file is no submission yet."""


@dataclass(frozen=True, slots=True)
class Sniff:
    """Guess from the first bytes of a file: a role of a task, with a confidence of 0 to 1.

    A file of confidence 1 tells the competition of all that are given with it. `programs` are the
    profiles whose programs have files of this shape; empty if all or none do.
    """

    role: str
    confidence: float
    format: str = ""
    programs: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class InputFile:
    """File, or folder of pictures, with its role in the competition and all that is known of it.

    The door sets `path` (absolute and normalized; a link keeps its own name), `parts` (the first of
    several is the team's folder) and `archived`, its time in an archive, which has no zone if the
    archive has none. `entry` is what a platform recorded of it. `beside` are the files that belong
    to it. `given` are the paths that the user gave for it, if the competition joined several files
    or found it in a folder. An `explicit` file was named one by one: it counts, whatever else its
    team submitted, and its content names it, unless the user did (`name`).

    `role` is empty if the user has to choose one, for the `reason` given; `guesses` are the roles
    that its content suggests, by competition, likeliest first. `state` is `"new"` (not read yet),
    `"current"`, `"changed"` (since it was read) or `"missing"`; `modified` is its time in
    nanoseconds, and `pictures` the number of pictures in a folder.

    The rules for submissions set the others. `team` is the name of its folder, or else the file's
    stem; `system` is a unique name derived from it, empty if the file itself may name the system.
    `files` is the number of files that belong to it; `size` and `sha256` are those of all of them.
    `received` (UTC) is the time of receipt by the rules, and `changed` that of the file itself.
    `twin` is an earlier system of another team with the same content; `counts_instead` the file
    that replaces this one.
    """

    path: Path
    role: str = ""
    size: int = 0
    state: str = "new"
    modified: int = 0
    reason: str = ""
    pictures: int = 0
    guesses: Mapping[str, Sniff] = field(default_factory=dict)
    parts: Parts = ()
    archived: datetime | None = None
    entry: PlatformEntry | None = None
    beside: tuple[InputFile, ...] = ()
    given: tuple[Path, ...] = ()
    explicit: bool = False
    name: str = ""
    team: str = ""
    sha256: str = ""
    files: int = 1
    changed: datetime | None = None
    received: datetime | None = None
    late: timedelta | None = None
    system: str = ""
    twin: str = ""
    counts_instead: str = ""

    @property
    def label(self) -> str:
        """Name of a submission in messages."""
        return self.system or self.team

    @property
    def by_folder(self) -> bool:
        """True if the folder, or a platform, names the team."""
        return len(self.parts) > 1 or self.entry is not None

    @property
    def is_day_known(self) -> bool:
        """True if the platform records the day of receipt alone, of which this is the beginning."""
        entry = self.entry
        return bool(entry and entry.received_known == "day" and entry.received == self.received)

    @property
    def counts(self) -> bool:
        """True unless another file of the team counts instead."""
        return self.explicit or not self.counts_instead

    @property
    def given_name(self) -> str:
        """Name of the system by the user or the rules; empty if its content may name it."""
        return self.name or ("" if self.explicit else self.system)

    def with_rules(self, other: InputFile) -> InputFile:
        """Return the file with what the rules say of `other`."""
        known = {name: getattr(other, name) for name in RULED}
        return replace(self, **known, entry=other.entry or self.entry)


def paths_by_role(files: Iterable[InputFile]) -> dict[str, list[Path]]:
    """Return the paths of the files with a role, by role."""
    found: dict[str, list[Path]] = {}
    for file in files:
        if file.role:
            found.setdefault(file.role, []).append(file.path)
    return found


def files_by_role(inputs: Mapping[str, Sequence[Path]]) -> tuple[InputFile, ...]:
    """Return the files of these absolute paths by role."""
    return tuple(InputFile(path, role) for role, paths in inputs.items() for path in paths)
