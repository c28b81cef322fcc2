from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from jurydesk.core.competition.task_registry import registry
from jurydesk.core.execution import code_digest
from jurydesk.core.execution.code_digest import digest_sources
from support import toy


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a program of three folders."""
    for name in ("metrics", "statistics", "own"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "one.py").write_bytes(b"x = 1\n")
    monkeypatch.setattr(code_digest, "__file__", str(tmp_path / "provenance" / "code_digest.py"))
    digest_sources.cache_clear()
    yield tmp_path
    digest_sources.cache_clear()


def fresh(tree: Path) -> str:
    digest_sources.cache_clear()
    return digest_sources(tree / "own")


def test_competitions_have_their_own_digests() -> None:
    found = {code_digest.code_digest(task) for task in registry().tasks.values()}
    assert len(found) == len(registry().tasks)
    assert all(len(one) == 64 for one in found)


@pytest.mark.parametrize("name", ["metrics/one.py", "statistics/one.py", "own/one.py"])
def test_every_changed_module_changes_the_digest(tree: Path, name: str) -> None:
    before = fresh(tree)
    (tree / name).write_bytes(b"x = 2\n")
    assert fresh(tree) != before


def test_a_compiled_module_counts_by_its_source(tree: Path) -> None:
    before = fresh(tree)
    (tree / "metrics" / "fast.so").write_bytes(b"machine code")
    assert fresh(tree) == before
    (tree / "metrics" / "fast.pyx").write_bytes(b"cdef int x = 1\n")
    assert fresh(tree) != before


def test_line_ends_and_locations_do_not_matter(tree: Path) -> None:
    before = fresh(tree)
    (tree / "own" / "one.py").write_bytes(b"x = 1\r\n")
    assert fresh(tree) == before


def test_names_of_modules_matter(tree: Path) -> None:
    before = fresh(tree)
    (tree / "own" / "one.py").rename(tree / "own" / "two.py")
    assert fresh(tree) != before


def test_a_program_without_its_sources_has_no_digest(tree: Path) -> None:
    (tree / "statistics" / "one.py").unlink()
    assert fresh(tree) == ""
    built_in = replace(toy.TASK, scoring=replace(toy.TASK.scoring, evaluate=print))
    assert code_digest.code_digest(built_in) == ""
