"""Competitions whose sealed entries go from the kit to the public board, between three homes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from jurydesk.core.system.paths import cache_folder, resources_folder
from support.plug_ins.example import EXAMPLE

EXAMPLES = resources_folder() / "examples"
VIST, CAPTIONS = EXAMPLES / "vist", EXAMPLES / "captions"


@dataclass(frozen=True)
class Case:
    """Competition: its reference files, the published submission and the entry."""

    task: str
    references: tuple[object, ...]
    option: str
    published: Path
    entry: Path


CASES = [
    Case(
        "vist",
        ("--references", VIST / "human-stories.json", "--template", VIST / "template.json"),
        "--submission",
        VIST / "labels.json",
        VIST / "happy.json",
    ),
    Case(
        "captions",
        ("--references", CAPTIONS / "annotations.json"),
        "--results",
        CAPTIONS / "lister.json",
        CAPTIONS / "describer.json",
    ),
    Case(
        "signs",
        ("--signs", EXAMPLE / "signs.json"),
        "--readings",
        EXAMPLE / "hasty.json",
        EXAMPLE / "careful.json",
    ),
]


def homes(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Return a function that goes to somebody's home; METEOR's index is the one of all tests."""
    cache = cache_folder()

    def enter(name: str) -> None:
        home = folder / name
        if not home.exists():
            home.mkdir()
            (home / "cache").symlink_to(cache)
        monkeypatch.setenv("JURYDESK_HOME", str(home))

    return enter
