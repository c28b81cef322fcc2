"""Participant kit (`*.jurycomp`): facts about the reference data and options, as readable JSON."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from jurydesk.core.competition.redaction import Redaction, RedactionFact, items, text
from jurydesk.core.competition.task import AnyTask, Inputs, Reading, SubmissionChecks
from jurydesk.core.execution.engine import CompetitionResult, check_inputs
from jurydesk.core.language import Message, failure_reason, fill, translatable
from jurydesk.core.language.message import decode_message, encode_message
from jurydesk.core.model.decoding import DAMAGE
from jurydesk.core.model.evaluation import Json
from jurydesk.core.model.input_file import InputFile
from jurydesk.core.model.json_text import parse_json
from jurydesk.core.version import __version__

if TYPE_CHECKING:
    from jurydesk.core.desk import Desk
    from jurydesk.core.execution.run import Run


SUFFIX = ".jurycomp"
FORMAT, VERSION = "jurydesk participant kit", 1
MAX_BYTES = 256 << 20


class KitError(Exception):
    """Kit that cannot be made or read; the message is for the user."""


@dataclass(frozen=True, slots=True)
class EntryKeys:
    """What sealed entries need: the organiser's public keys, and the reference version.

    `signing` checks certificates, `encryption` encrypts entries; `reference` is the hash of the
    reference files.
    """

    signing: str
    encryption: str
    reference: str


@dataclass(frozen=True, slots=True)
class ParticipantKit:
    """Rules that the organiser hands out: `facts` and `options` determine the defects.

    `program` is the version that made the kit, `unable` describes checks that it leaves out.
    `sha256` is the hash of the rules: kits with the same hash have the same rules. `entries` is
    set if the organiser takes sealed entries.
    """

    task_id: str
    title: str
    program: str
    options: Mapping[str, Json]
    facts: tuple[RedactionFact, ...]
    unable: tuple[str, ...]
    entries: EntryKeys | None = None

    def rules(self) -> dict[str, Json]:
        """Return everything that determines the check."""
        return {
            "task": self.task_id,
            "program": self.program,
            "options": dict(self.options),
            "facts": [[fact.name, encode_message(fact.says), fact.value] for fact in self.facts],
            "unable": list(self.unable),
            **({"entries": asdict(self.entries)} if self.entries else {}),
        }

    @property
    def sha256(self) -> str:
        """Hash of the rules."""
        text = json.dumps(self.rules(), ensure_ascii=True, sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(text.encode()).hexdigest()


NEEDS_GOLD = translatable(
    "Copies of the reference data, unusual texts, and what scoring alone finds."
)


def require_redaction(task: AnyTask) -> Redaction[Any]:
    """Return the task's redaction; raise KitError if it has none."""
    if task.submission_checks.redaction is None:
        raise KitError(fill("{title} has no participant kit.", Message(task.title)))
    return task.submission_checks.redaction


def make_kit(task: AnyTask, title: str, references: Reading[Any], options: Any) -> ParticipantKit:
    """Make the kit of a competition from its reference data; raise KitError if they have errors."""
    redaction = require_redaction(task)
    if references.data is None:
        raise KitError("The reference files have errors: fix them first.")
    values = {name: getattr(options, name) for name in redaction.options}
    facts = tuple(redaction.facts(references.data))
    return ParticipantKit(
        task.id, title or task.title, __version__, values, facts, (*redaction.unable, NEEDS_GOLD)
    )


def kit_bytes(kit: ParticipantKit) -> bytes:
    """Encode the kit as its file: readable JSON."""
    top = {"format": FORMAT, "version": VERSION, "title": kit.title, "sha256": kit.sha256}
    return f"{json.dumps(top | kit.rules(), ensure_ascii=False, indent=1)}\n".encode(
        "utf-8", "replace"
    )


def read_kit(path: Path) -> ParticipantKit:
    """Read a kit; raise KitError if the file is not a kit that this version can read."""
    try:
        with path.open("rb") as file:
            content = file.read(MAX_BYTES + 1)
    except OSError as error:
        reason = failure_reason(error)
        raise KitError(fill("{name} cannot be read: {reason:lower}.", path.name, reason)) from error
    if len(content) > MAX_BYTES:
        raise KitError(fill("{name} is not a participant kit: it is too large.", path.name))
    try:
        document = parse_json(content, unique=True)
        if not isinstance(document, dict) or document.get("format") != FORMAT:
            raise KitError(fill("{name} is not a participant kit.", path.name))
        if document["version"] != VERSION:
            raise KitError(
                fill(
                    "{name} was made by a newer Jurydesk ({get}). Install the newest version "
                    "to open it.",
                    path.name,
                    str(document.get("program"))[:20],
                )
            )
        kit = _kit(document)
    except DAMAGE as error:
        raise KitError(
            fill("{name} is not a participant kit, or it is damaged.", path.name)
        ) from error
    if kit.sha256 != document.get("sha256"):
        raise KitError(
            fill(
                "{name} is damaged: its hash does not match. Get it from the organiser again.",
                path.name,
            )
        )
    return kit


def _kit(document: dict[str, Json]) -> ParticipantKit:
    facts = (items(fact) for fact in items(document["facts"]))
    known = ((text(name), decode_message(says), value) for name, says, value in facts)
    return ParticipantKit(
        text(document["task"]),
        text(document["title"]),
        text(document["program"]),
        {text(name): value for name, value in document["options"].items()},
        tuple(RedactionFact(*fact) for fact in known),
        tuple(text(sentence) for sentence in items(document["unable"])),
        _entry_keys(document.get("entries")),
    )


def _entry_keys(stored: Json) -> EntryKeys | None:
    if stored is None:
        return None
    return EntryKeys(**{one.name: text(stored[one.name]) for one in fields(EntryKeys)})


def kit_options(task: AnyTask, kit: ParticipantKit) -> Any:
    """Return the options of the kit, with defaults for the others; raise KitError if invalid."""
    known = {entry.name: entry for entry in fields(task.scoring.options)}
    chosen: dict[str, Any] = {}
    for name in require_redaction(task).options:
        value, entry = kit.options.get(name), known[name]
        switch = (True, False) if isinstance(entry.default, bool) else ()
        choices: Sequence[Any] = entry.metadata.get("choices") or switch
        if value not in choices:
            raise KitError(
                fill("The kit lacks a value of the option {name} that this version supports.", name)
            )
        chosen[name] = value
    return task.scoring.options(**chosen)


def kit_reference(task: AnyTask, kit: ParticipantKit) -> Any:
    """Return the reference data without gold; raise KitError if the facts do not fit the task."""
    try:
        return require_redaction(task).reference({fact.name: fact.value for fact in kit.facts})
    except DAMAGE as error:
        raise KitError("The kit is damaged: its facts are inconsistent.") from error


def desk_inputs(desk: Desk, task: AnyTask) -> dict[str, list[Path]]:
    """Return all files but submissions by role; raise KitError if a required one is missing."""
    role = task.submission_input().role
    found: dict[str, list[Path]] = {}
    for entry in desk.inputs():
        if entry.source.role != role and entry.state != "missing":
            found.setdefault(entry.source.role, []).append(entry.path)
    for one in task.inputs:
        if one.required and one.role != role and one.role not in found:
            raise KitError(
                fill(
                    "The desk has no file for {label}, or the file is missing.", Message(one.label)
                )
            )
    return found


def check_with_kit_rules(
    task: AnyTask, kit: ParticipantKit, submissions: Sequence[InputFile], run: Run
) -> CompetitionResult:
    """Check submissions as the organiser's check does.

    The defects are the same, except those that the kit describes as `unable`. Raises KitError if
    the kit does not fit the task, and Cancelled.
    """
    reference, options = kit_reference(task, kit), kit_options(task, kit)

    def read_kit_reference(inputs: Inputs, options: Any, run: Run) -> Reading[Any]:
        return Reading(reference, ())

    known = replace(
        task,
        readers=replace(
            task.readers, read_references=read_kit_reference, arrange=lambda files: files
        ),
        scoring=replace(task.scoring, remarks=require_redaction(task).remarks),
        submission_checks=SubmissionChecks(),
    )
    return check_inputs(known, submissions, options, run)


def version_notice(kit: ParticipantKit) -> str:
    """Return a sentence if another version of the program made the kit, else empty."""
    if kit.program == __version__:
        return ""
    return fill(
        "The kit was made by Jurydesk {program}; this is {version}. The organiser's "
        "check may report other defects.",
        kit.program,
        __version__,
    )
