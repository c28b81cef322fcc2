"""A few seconds of fuzzing; `tests/fuzz.py` can run for any time."""

from __future__ import annotations

import fuzz


def test_mutated_files_are_refused_without_an_exception(tmp_path):
    count, faults = fuzz.fuzz(3, 7, tmp_path)
    assert count > 0
    assert faults == []


def test_an_exception_is_reported_with_its_file(tmp_path, monkeypatch):
    monkeypatch.setattr(fuzz, "KEPT", tmp_path / "kept")
    monkeypatch.setattr(fuzz, "DeskError", ())
    _, faults = fuzz.fuzz(3, 7, tmp_path)
    assert any("mutated.jurydesk" in fault for fault in faults)
    assert list((tmp_path / "kept").iterdir())
