"""Participant kit as one HTML file, which checks in any browser without a network."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from dataclasses import asdict
from functools import cache
from pathlib import Path
from typing import Any

from jurydesk.core.competition.redaction import Redaction
from jurydesk.core.competition.task_registry import registry
from jurydesk.core.export.html_report.certificate_page import sealed_page_part
from jurydesk.core.export.html_report.inline_page import (
    data_element,
    page_head,
    script_elements,
    script_safe_json,
)
from jurydesk.core.intake.program_outputs import MARKDOWN, OF_FLORENCE, OUTPUTS, ProgramOutput
from jurydesk.core.language import LANGUAGES, Message, fill
from jurydesk.core.language.message import encode_message
from jurydesk.core.language.page_catalogue import language_script, page_catalogue
from jurydesk.core.model.evaluation import Json
from jurydesk.core.model.json_text import DEEPEST
from jurydesk.core.participant_kit.kit import KitError, ParticipantKit
from jurydesk.core.readers.text_file import MAX_BYTES
from jurydesk.core.system.paths import resources_folder

SHARED = (
    "text",
    "defects",
    "utf8",
    "bounded_defects",
    "json_parser",
    "close_match",
    "json_cursor",
    "json",
    "file_signatures",
    "roles",
    "role_check",
)
"""Scripts of every page, followed by the competition's checker and all recognizers."""
STYLE, PAGE, PAGE_SCRIPT = "kit.css", "page.html", "page.js"
SEALING = ("signed", "chacha", "entry", "form")
"""Scripts that seal entries, of the pages of kits that take them."""


def checker_page_part(name: str | Path) -> str:
    """Return the text of one file of the page; files of packages have absolute paths."""
    return (_folder() / name).read_text(encoding="utf-8", errors="replace")


def _folder() -> Path:
    return resources_folder() / "web" / "kit"


def has_page(redaction: Redaction[Any] | None) -> bool:
    """Return whether the redaction has a browser checker with all its files."""
    scripts = redaction.scripts if redaction else ()
    return bool(scripts) and all((_folder() / name).is_file() for name in scripts)


def checker_page_bytes(
    kit: ParticipantKit, redaction: Redaction[object], language: str = "en"
) -> bytes:
    """Return the page; raise KitError if the competition has no browser checker.

    The page opens in `language`; a button shows it in the other one.
    """
    if not has_page(redaction):
        raise KitError(
            fill(
                "{title} has no browser checker for its files. Give the participants the "
                ".jurycomp file, which Jurydesk opens.",
                Message(kit.title),
            )
        )
    style = checker_page_part(STYLE)
    sealing = sealing_scripts() if kit.entries else []
    scripts = [*page_scripts(redaction), *sealing, checker_page_part(PAGE_SCRIPT)]
    data = {**page_data(kit), "language": language, "languages": page_languages(kit, scripts)}
    body = f"{data_element('kit', data)}\n{script_elements(scripts)}"
    page = (
        checker_page_part(PAGE)
        .replace("<!--head-->", page_head(scripts, style))
        .replace("<!--scripts-->", body)
    )
    return page.encode("utf-8", "replace")


def page_languages(kit: ParticipantKit, scripts: Sequence[str]) -> Json:
    """Return the sentences of the page, of its defects and of the kit, by language."""
    texts = [checker_page_part(PAGE), *scripts, json.dumps(page_data(kit), ensure_ascii=False)]
    source = "\n".join(texts)
    return {code: page_catalogue(code, source) for code in LANGUAGES}


def page_scripts(redaction: Redaction[Any]) -> list[str]:
    """Return the scripts of a page in their order, without the last one."""
    return [
        language_script(),
        *map(checker_page_part, (*(f"{name}.js" for name in SHARED), *redaction.scripts)),
        *recognizer_scripts(),
    ]


def sealing_scripts() -> list[str]:
    """Return the scripts that seal entries, in their order."""
    return [sealed_page_part(f"{name}.js") for name in SEALING]


def recognizer_scripts() -> list[str]:
    """Return the recognizers of all competitions that have one, each in its own scope."""
    redactions = {id: task.submission_checks.redaction for id, task in registry().tasks.items()}
    scripts = {
        id: one.scripts[-1] if one and one.scripts else f"{id.replace('-', '_')}.js"
        for id, one in redactions.items()
    }
    paths = {id: _folder() / script for id, script in scripts.items()}
    return [
        f"Roles.add({script_safe_json(id)}, () => {{\n"
        f"{checker_page_part(path)}\nreturn recognize;\n}});"
        for id, checker in paths.items()
        if (path := checker.with_stem(f"{checker.stem}_recognizer")).is_file()
    ]


def page_data(kit: ParticipantKit) -> Json:
    """Return the data for the scripts: the kit, and the JSON and character rules of Python."""
    return {
        "title": kit.title,
        "task": kit.task_id,
        "competitions": competition_inputs(),
        "outputs": [_output(one) for one in OUTPUTS],
        "markdown": _output(MARKDOWN),
        "florence": [_output(one) for one in OF_FLORENCE],
        "program": kit.program,
        "sha256": kit.sha256,
        "options": dict(kit.options),
        "facts": {fact.name: fact.value for fact in kit.facts},
        "says": [encode_message(fact.says) for fact in kit.facts],
        "unable": list(kit.unable),
        "entries": asdict(kit.entries) if kit.entries else None,
        "rules": {
            "deepest": DEEPEST,
            "digits": sys.get_int_max_str_digits(),
            "commas": reports_trailing_commas(),
            "bytes": MAX_BYTES,
        },
        "characters": character_ranges(),
    }


def _output(one: ProgramOutput) -> Json:
    return {
        "kind": one.kind,
        "advice": one.advice,
        "members": sorted(one.members),
        "others": sorted(one.others),
    }


def competition_inputs() -> list[Json]:
    """Return the inputs of all competitions, to name files given in a wrong role."""
    return [
        {
            "id": task.id,
            "title": task.title,
            "inputs": [asdict(one) for one in task.inputs],
        }
        for task in registry().tasks.values()
    ]


@cache
def reports_trailing_commas() -> bool:
    """Return whether this Python reports a trailing comma as such (from 3.13)."""
    try:
        json.loads("[1,]")
    except json.JSONDecodeError as fault:
        return fault.msg.startswith("Illegal trailing comma")
    return False


@cache
def character_ranges() -> dict[str, list[int]]:
    """Return unprintable and word characters as ranges [first, last, first, ...]."""
    hidden: list[int] = []
    letters: list[int] = []
    for code in range(sys.maxunicode + 1):
        letter = chr(code)
        for ranges, holds in ((hidden, not letter.isprintable()), (letters, letter.isalnum())):
            if holds and ranges and ranges[-1] == code - 1:
                ranges[-1] = code
            elif holds:
                ranges += [code, code]
    return {"hidden": hidden, "letters": letters}
