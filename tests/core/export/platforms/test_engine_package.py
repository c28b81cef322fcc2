from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from jurydesk.core.export.platforms import engine_package
from jurydesk.core.export.platforms.engine_package import (
    Trial,
    engine_members,
    reason_in,
    without_sections,
    write_members,
)
from jurydesk.core.model.evaluation import UsageError

LIBRARY = next(Path(engine_package.__file__).parents[2].rglob("_beam*.so"), None)


@pytest.fixture
def trial(tmp_path: Path) -> Trial:
    (tmp_path / "mine.txt").write_text("a 1")
    return Trial({"r.txt": b"a 1"}, tmp_path / "mine.txt")


def use_engine(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.setattr(engine_package, "_engine_files", lambda: {"engine/a.so": b"unused"})
    monkeypatch.setattr(engine_package, "SCORE", text)


def test_the_libraries_that_scoring_loads_are_brought_along(
    trial: Trial, monkeypatch: pytest.MonkeyPatch
) -> None:
    use_engine(monkeypatch, "import snowballstemmer")
    found = engine_members("python:3.12", trial, None)
    assert "vendored/snowballstemmer/__init__.py" in found
    assert "engine/a.so" not in found
    assert not any(name.startswith("vendored/numpy/") for name in found)
    assert not any("__pycache__" in name for name in found)


@pytest.mark.parametrize(
    ("errors", "reason"),
    [
        (b"a.txt: damaged\n  Mend it.\n", "a.txt: damaged Mend it."),
        (b"warning\nTraceback (most recent call last):\n  File x\n    y\nE: b\nc", "E: b c"),
        (b"\xff\n", "\N{REPLACEMENT CHARACTER}"),
        (b"", "-"),
    ],
)
def test_what_a_program_said_begins_with_its_first_sentence(errors: bytes, reason: str) -> None:
    assert reason_in(errors) == reason


def test_a_trial_that_fails_says_why(trial: Trial, monkeypatch: pytest.MonkeyPatch) -> None:
    use_engine(monkeypatch, "raise SystemExit('mine.txt: damaged')")
    with pytest.raises(UsageError, match=r"failed for mine\.txt: mine\.txt: damaged"):
        engine_members("python:3.12", trial, None)


def test_libraries_of_gigabytes_are_refused(trial: Trial, monkeypatch: pytest.MonkeyPatch) -> None:
    use_engine(monkeypatch, "import snowballstemmer")
    monkeypatch.setattr(engine_package, "TOO_LARGE", frozenset(("snowballstemmer",)))
    with pytest.raises(UsageError, match="A package cannot hold snowballstemmer"):
        engine_members("python:3.12", trial, None)


def test_the_index_lies_where_the_engine_finds_it(
    tmp_path: Path, trial: Trial, monkeypatch: pytest.MonkeyPatch
) -> None:
    use_engine(monkeypatch, "assert open('engine/jurydesk/resources/meteor/english.index').read()")
    index = tmp_path / "i.index"
    index.write_bytes(b"words")
    assert engine_members("python:3.12", trial, index)[engine_package.INDEX] == b"words"


@pytest.mark.skipif(LIBRARY is None, reason="the compiled modules are not built")
def test_a_library_without_sections_is_smaller_and_loads(tmp_path: Path) -> None:
    assert LIBRARY is not None
    whole = LIBRARY.read_bytes()
    small = without_sections(whole)
    assert len(small) <= len(whole)
    write_members(tmp_path, {LIBRARY.name: small})
    code = (
        "import importlib.util as u, sys\n"
        "s = u.spec_from_file_location('_beam', sys.argv[1])\n"
        "m = u.module_from_spec(s)\n"
        "s.loader.exec_module(m)\n"
        "print(m.Kernel.__name__)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, tmp_path / LIBRARY.name],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout == "Kernel\n", done.stderr


@pytest.mark.parametrize("content", [b"", b"MZ", b"\x7fELF\x01\x01"])
def test_other_libraries_stay_as_they_are(content: bytes) -> None:
    assert without_sections(content) == content
