"""What jobs do, without a window."""

from __future__ import annotations

import sys

import pytest

from app import work
from core.run.run import Run

pytestmark = pytest.mark.usefixtures("only_the_toy")


def test_preparing_imports_what_is_needed_soon(monkeypatch):
    monkeypatch.delitem(sys.modules, "app.widgets.peek", raising=False)
    found = work.prepare(["app.widgets.peek"], Run(), lambda value: None)
    assert list(found.tasks) == ["toy"]
    assert "app.widgets.peek" in sys.modules


def test_the_device_is_said_in_a_few_words():
    assert work.device_line("cpu").startswith("CPU · ")
    assert work.device_line("cuda:77").startswith("CPU · ")
