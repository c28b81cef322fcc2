"""Files that the original programs read, in the working folder."""

from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture
def folder(request, tmp_path, monkeypatch) -> Path:
    """Return the working folder, with the recorded files of the test's module (`FILES`)."""
    monkeypatch.chdir(tmp_path)
    for name, text in request.module.FILES.items():
        (tmp_path / name).write_text(text, "utf-8")
    return tmp_path
