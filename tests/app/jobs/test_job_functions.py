"""Functions that jobs run, without a window."""

from __future__ import annotations

import sys

import pytest

from jurydesk.app.jobs import job_functions
from jurydesk.core.execution.run import Run

pytestmark = pytest.mark.usefixtures("only_the_toy")


def test_preparing_imports_the_modules_needed_next(monkeypatch):
    monkeypatch.delitem(sys.modules, "jurydesk.app.pages.check.file_excerpt", raising=False)
    found = job_functions.load_competitions(
        ["jurydesk.app.pages.check.file_excerpt"], Run(), lambda value: None
    )
    assert list(found.tasks) == ["toy"]
    assert "jurydesk.app.pages.check.file_excerpt" in sys.modules


def test_the_device_is_described_in_a_few_words(monkeypatch):
    monkeypatch.setattr("jurydesk.core.execution.device._accelerators", list)  # imports PyTorch
    assert job_functions.device_line("cpu").startswith("CPU · ")
    assert job_functions.device_line("cuda:77").startswith("CPU · ")
