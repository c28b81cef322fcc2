"""Locations of the recorded numbers of the original tools."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

TESTS = Path(__file__).parents[1]
SHARED = TESTS.parent.parent / "shared"


def oracle(name: str) -> Path:
    """Return the path of a recorded file of the project."""
    return TESTS / "oracles" / name


def golden(name: str) -> Path:
    """Return the path of a recorded file with third-party text; skip the test without it."""
    return _require_present(Path(os.environ.get("JURYDESK_GOLDEN", SHARED / "golden")) / name)


def data(name: str) -> Path:
    """Return the path of a real input file; skip the test without it."""
    return _require_present(Path(os.environ.get("JURYDESK_DATA", SHARED / "data")) / name)


def _require_present(path: Path) -> Path:
    if not path.exists():
        pytest.skip(f"{path.name} is not at hand: set JURYDESK_GOLDEN or JURYDESK_DATA")
    return path
