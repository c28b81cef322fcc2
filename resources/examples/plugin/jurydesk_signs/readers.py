"""Readers of the true texts and of a system's readings, both JSON."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from jurydesk.core.competition.redaction import Redaction, RedactionFact, require_texts
from jurydesk.core.competition.task import Inputs, PlainOptions, Reading, Sniff
from jurydesk.core.execution.run import Run
from jurydesk.core.language import counted, name_list
from jurydesk.core.model.defects import Defect, error, has_errors, warning
from jurydesk.core.model.evaluation import SubmissionText
from jurydesk.core.readers.json_file import JsonFile, read_json_file

Texts = Mapping[str, str]
"""Texts by the names of their signs."""


def sniff(head: bytes) -> Sniff | None:
    """Recognize a file by the name of its list."""
    if b'"readings"' in head:
        return Sniff("readings", 0.9, "readings of street signs")
    return Sniff("signs", 0.9, "street signs") if b'"signs"' in head else None


def read_signs(inputs: Inputs, options: PlainOptions, run: Run) -> Reading[Texts]:
    """Read what the signs say."""
    file = read_json_file(inputs["signs"][0])
    data, defects = _texts(file, "signs")
    if not data and not has_errors(defects):
        defects.append(error(file.place("signs"), "There is no sign.", "At least one is expected."))
    return Reading(None if has_errors(defects) else data, tuple(defects))


def read_readings(path: Path, signs: Texts, options: PlainOptions, run: Run) -> Reading[Texts]:
    """Read one system's readings; a sign without one counts as unread."""
    file = read_json_file(path)
    data, defects = _texts(file, "readings")
    if has_errors(defects):
        return Reading(None, tuple(defects))
    missing = [name for name in signs if name not in data]
    if missing:
        found = f"{counted(len(missing), 'sign')} without a reading: {name_list(missing)}."
        expected = "They count as unread."
        defects.append(warning(file.place("readings"), found, expected, count=len(missing)))
    return Reading({name: data.get(name, "") for name in signs}, tuple(defects))


def _texts(file: JsonFile, member: str) -> tuple[dict[str, str], list[Defect]]:
    """Return the texts of the object of that name, and what is wrong with it."""
    if not file.is_readable:
        return {}, list(file.defects)
    found = file.data.get(member) if isinstance(file.data, dict) else None
    if not isinstance(found, dict):
        expected = "Texts by the names of their signs are expected."
        wrong = error(file.place(), f'The file has no object "{member}".', expected)
        return {}, [*file.defects, wrong]
    wrongs = [
        error(file.place(member, deeper=f".{name}"), "This is not text.", "Text is expected.")
        for name, value in found.items()
        if not isinstance(value, str)
    ]
    return found, [*file.defects, *wrongs]


def submission_texts(signs: Texts, readings: Texts) -> Iterator[SubmissionText]:
    """Return every reading beside the true text, for the search for copied answers."""
    for name, text in signs.items():
        yield SubmissionText(name, readings[name], (text,))


def facts(signs: Texts) -> tuple[RedactionFact, ...]:
    """Return what participants may know: the names of the signs, not their texts."""
    return (
        RedactionFact("signs", f"The names of the {counted(len(signs), 'sign')}.", list(signs)),
    )


REDACTION: Redaction[Texts] = Redaction(
    facts,
    lambda values: dict.fromkeys(require_texts(values["signs"]), ""),
    scripts=(Path(__file__).parent / "kit.js",),
)
