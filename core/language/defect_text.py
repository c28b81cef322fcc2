"""Defects as text in a language: severity, place, finding and advice."""

from __future__ import annotations

from collections.abc import Sequence

from jurydesk.core.language.catalogue_marker import translatable
from jurydesk.core.language.display_language import translate, translate_text
from jurydesk.core.model.defects import Defect, Place, Severity, escape_line_ends
from jurydesk.core.system.paths import distinct_names

SEVERITIES = {
    Severity.ERROR: translatable("error"),
    Severity.WARNING: translatable("warning"),
    Severity.NOTE: translatable("note"),
}


def defect_texts(defects: Sequence[Defect]) -> list[str]:
    """Return defects as `format_defects` does, in the current language."""
    names = distinct_names({defect.place.path for defect in defects})
    return [defect_text(defect, names[defect.place.path]) for defect in defects]


def defect_text(defect: Defect, name: str) -> str:
    """Return a defect as one or two lines in the current language, with `name` for its file."""
    severity = translate(SEVERITIES[defect.severity])
    head = f"{severity}  {place_text(defect.place, name)}: {translate_text(defect.found)}"
    advice = " ".join(translate_text(part) for part in (defect.expected, defect.hint) if part)
    return f"{head}\n       {advice}" if advice else head


def place_text(place: Place, name: str) -> str:
    """Return a place in the current language, with `name` for the file."""
    if place.line is None:
        return place.format(name)
    shown = escape_line_ends(name)
    if place.column is None:
        return translate("{name}, line {line}", name=shown, line=place.line)
    return translate(
        "{name}, line {line}, column {column}", name=shown, line=place.line, column=place.column
    )
