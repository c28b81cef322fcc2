"""Tests of the use cases know one competition, the toy, unless they ask for the real ones."""

from __future__ import annotations

import competition
import pytest


@pytest.fixture
def only_the_toy(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let no other competition be installed."""
    monkeypatch.setattr("jurydesk.core.competition.task_registry.registry", competition.registry)
    monkeypatch.setattr(competition, "SECONDS", 0.0)
