"""Readers of the true texts and of a system's readings, both JSON."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from jurydesk.core.competition.redaction import Redaction, RedactionFact, require_texts
from jurydesk.core.competition.task import Inputs, PlainOptions, Reading, Sniff
from jurydesk.core.execution.run import Run
from jurydesk.core.language import counted, name_list
from jurydesk.core.model.defects import has_errors
from jurydesk.core.model.evaluation import SubmissionText
from jurydesk.core.readers.json_cursor import JsonCursor
from jurydesk.core.readers.json_file import read_json_file

Texts = Mapping[str, str]
"""Texts by the names of their signs."""


def sniff(head: bytes) -> Sniff | None:
    """Recognize a file by the name of its list."""
    if b'"readings"' in head:
        return Sniff("readings", 0.9, "readings of street signs")
    return Sniff("signs", 0.9, "street signs") if b'"signs"' in head else None


def read_signs(inputs: Inputs, options: PlainOptions, run: Run) -> Reading[Texts]:
    """Read what the signs say."""
    root = _root(inputs["signs"][0])
    data = _texts(root["signs"])
    if not data and not has_errors(root.defects.to_tuple()):
        root["signs"].error("There is no sign.", "At least one is expected.")
    defects = root.defects.to_tuple()
    return Reading(None if has_errors(defects) else data, defects)


def read_readings(path: Path, signs: Texts, options: PlainOptions, run: Run) -> Reading[Texts]:
    """Read one system's readings; a sign without one counts as unread."""
    root = _root(path)
    data = _texts(root["readings"])
    if has_errors(root.defects.to_tuple()):
        return Reading(None, root.defects.to_tuple())
    missing = [name for name in signs if name not in data]
    if missing:
        found = f"{counted(len(missing), 'sign')} without a reading: {name_list(missing)}."
        root["readings"].warning(found, "They count as unread.", count=len(missing))
    return Reading({name: data.get(name, "") for name in signs}, root.defects.to_tuple())


def _root(path: Path) -> JsonCursor:
    return JsonCursor.of(read_json_file(path))


def _texts(texts: JsonCursor) -> dict[str, str]:
    """Return the texts of an object of the file; report what is wrong with them."""
    if not texts.file.is_readable:
        return {}
    if not isinstance(texts.value, dict):
        found = f'The file has no object "{texts.path}".'
        texts.at("").error(found, "Texts by the names of their signs are expected.")
        return {}
    for name, value in texts.value.items():
        if not isinstance(value, str):
            texts[name].error("This is not text.", "Text is expected.")
    return texts.value


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
