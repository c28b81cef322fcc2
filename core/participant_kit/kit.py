"""The kit (`*.jurycomp`): facts about the reference data, options and program; a readable JSON."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from jurydesk.core.competition.redaction import Redaction, RedactionFact, items, text
from jurydesk.core.competition.task import AnyTask, Inputs, Reading
from jurydesk.core.execution.engine import CompetitionResult
from jurydesk.core.execution.engine import check_inputs as check_inputs
from jurydesk.core.model.evaluation import Json
from jurydesk.core.version import __version__

if TYPE_CHECKING:
    from jurydesk.core.desk import Desk
    from jurydesk.core.execution.run import Run


SUFFIX = ".jurycomp"
FORMAT, VERSION = "jurydesk participant kit", 1
MOST_BYTES = 256 << 20


class KitError(Exception):
    """A kit cannot be made or read; its text is a sentence for the user."""


@dataclass(frozen=True, slots=True)
class ParticipantKit:
    """What the organiser hands out: `facts` and `options` decide what is a defect.

    `program` is the version that made it, `unable` what its check leaves out. `sha256` is the
    hash of all of that: two kits with the same hash have the same rules.
    """

    task_id: str
    title: str
    program: str
    options: Mapping[str, Json]
    facts: tuple[RedactionFact, ...]
    unable: tuple[str, ...]

    def rules(self) -> dict[str, Json]:
        """Everything that decides the check."""
        return {
            "task": self.task_id,
            "program": self.program,
            "options": dict(self.options),
            "facts": [[fact.name, fact.says, fact.value] for fact in self.facts],
            "unable": list(self.unable),
        }

    @property
    def sha256(self) -> str:
        """The hash of the rules."""
        text = json.dumps(self.rules(), ensure_ascii=True, sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(text.encode()).hexdigest()


def require_redaction(task: AnyTask) -> Redaction[Any]:
    """The task's outline; KitError where it has none."""
    if task.submission_checks.redaction is None:
        raise KitError(f"{task.title} offers no participant kit.")
    return task.submission_checks.redaction


def make_kit(task: AnyTask, title: str, references: Reading[Any], options: Any) -> ParticipantKit:
    """The kit of a competition whose reference files were read; KitError where they have errors."""
    outline = require_redaction(task)
    if references.data is None:
        raise KitError("The reference files have errors: mend them first.")
    wanted = {name: getattr(options, name) for name in outline.options}
    facts = tuple(outline.facts(references.data))
    return ParticipantKit(task.id, title or task.title, __version__, wanted, facts, outline.unable)


def kit_bytes(kit: ParticipantKit) -> bytes:
    """The kit as its file holds it: JSON that a person can read."""
    top = {"format": FORMAT, "version": VERSION, "title": kit.title, "sha256": kit.sha256}
    return f"{json.dumps(top | kit.rules(), ensure_ascii=False, indent=1)}\n".encode(
        "utf-8", "replace"
    )


def read_kit(path: Path) -> ParticipantKit:
    """The kit of a file; KitError for whatever is no kit that this version can read."""
    try:
        with path.open("rb") as file:
            content = file.read(MOST_BYTES + 1)
    except OSError as fault:
        reason = (fault.strerror or str(fault)).lower()
        raise KitError(f"{path.name} cannot be read: {reason}.") from fault
    if len(content) > MOST_BYTES:
        raise KitError(f"{path.name} is no participant kit: it is too large.")
    try:
        document = json.loads(content)
        if not isinstance(document, dict) or document.get("format") != FORMAT:
            raise KitError(f"{path.name} is no participant kit.")
        if document["version"] != VERSION:
            raise KitError(
                f"{path.name} was made by a newer Jurydesk ({str(document.get('program'))[:20]}). "
                "Install the newest version to open it."
            )
        kit = _kit(document)
    except (ValueError, LookupError, TypeError, RecursionError) as fault:
        raise KitError(f"{path.name} is no participant kit, or it is damaged.") from fault
    if kit.sha256 != document.get("sha256"):
        raise KitError(f"{path.name} is damaged: its hash is another. Get it from the organiser.")
    return kit


def _kit(document: dict[str, Json]) -> ParticipantKit:
    facts = (items(fact) for fact in items(document["facts"]))
    return ParticipantKit(
        text(document["task"]),
        text(document["title"]),
        text(document["program"]),
        {text(name): value for name, value in document["options"].items()},
        tuple(RedactionFact(text(name), text(says), value) for name, says, value in facts),
        tuple(text(sentence) for sentence in items(document["unable"])),
    )


def kit_options(task: AnyTask, kit: ParticipantKit) -> Any:
    """The options that the kit names, all others as they are by default; KitError for others."""
    known = {entry.name: entry for entry in fields(task.scoring.options)}
    chosen: dict[str, Any] = {}
    for name in require_redaction(task).options:
        value, entry = kit.options.get(name), known[name]
        choices: Sequence[Any] = entry.metadata.get("choices", ())
        if value not in choices:
            raise KitError(f"The kit has no option {name} that this version knows.")
        chosen[name] = value
    return task.scoring.options(**chosen)


def kit_reference(task: AnyTask, kit: ParticipantKit) -> Any:
    """The reference data without gold; KitError where the facts are none of this task."""
    try:
        return require_redaction(task).reference({fact.name: fact.value for fact in kit.facts})
    except (LookupError, TypeError, ValueError, OverflowError) as fault:
        raise KitError("The kit is damaged: its facts do not fit together.") from fault


def desk_inputs(desk: Desk, task: AnyTask) -> dict[str, list[Path]]:
    """The files but the submissions, by role; KitError where a required one is missing."""
    own = task.submission_input().role
    found: dict[str, list[Path]] = {}
    for entry in desk.inputs():
        if entry.source.role != own and entry.state != "missing":
            found.setdefault(entry.source.role, []).append(entry.path)
    for wanted in task.inputs:
        if wanted.required and wanted.role != own and wanted.role not in found:
            raise KitError(f"The desk has no file as {wanted.label}, or it is missing now.")
    return found


NO_NAMES: Mapping[Path, str] = MappingProxyType({})


def check_with_kit_rules(
    task: AnyTask,
    kit: ParticipantKit,
    paths: Sequence[Path],
    run: Run,
    names: Mapping[Path, str] = NO_NAMES,
) -> CompetitionResult:
    """What the organiser's check says of these submissions.

    The defects are the same, but for those that the kit calls `unable`. Raises KitError where the
    kit does not fit the task, and Cancelled.
    """
    reference, options = kit_reference(task, kit), kit_options(task, kit)

    def outlined(inputs: Inputs, options: Any, run: Run) -> Reading[Any]:
        return Reading(reference, ())

    known = replace(task, readers=replace(task.readers, read_references=outlined))
    inputs = {task.submission_input().role: tuple(paths)}
    return check_inputs(known, inputs, options, run, names=names)


def version_notice(kit: ParticipantKit) -> str:
    """A sentence where another version of the program made the kit, else nothing."""
    if kit.program == __version__:
        return ""
    return (
        f"The kit was made by Jurydesk {kit.program}; this is {__version__}. The organiser's check "
        "may say other things."
    )
