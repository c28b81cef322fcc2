from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from jurydesk.core.execution.input_hashes import InputHasher
from jurydesk.core.execution.run import Cancelled, Run
from jurydesk.core.model.evaluation import Source


def source(role: str, path: Path) -> Source:
    content = path.read_bytes()
    return Source(role, str(path), len(content), hashlib.sha256(content).hexdigest())


def test_files_are_hashed_by_role_in_the_order_of_their_start(tmp_path: Path) -> None:
    paths = [tmp_path / name for name in ("b", "a", "c")]
    for path in paths:
        path.write_text(path.name)
    with InputHasher(lambda: None) as prints:
        prints.begin("truth", paths[:2])
        prints.begin("guesses", paths[2:])
        assert prints.sources("truth") == tuple(source("truth", path) for path in paths[:2])
        assert prints.sources()[2] == prints.source("guesses", paths[2])


def test_hashing_of_another_file_can_start_while_sources_are_collected(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    paths = [tmp_path / name for name in ("a", "b")]
    for path in paths:
        path.write_text(path.name)
    with InputHasher(lambda: None) as prints:
        one = prints.source

        def begin_meanwhile(role: str, path: Path) -> Source:
            prints.begin("guesses", [paths[1]])
            return one(role, path)

        prints.begin("truth", paths[:1])
        monkeypatch.setattr(prints, "source", begin_meanwhile)
        assert prints.sources() == (source("truth", paths[0]),)


def test_paths_are_absolute_and_links_keep_their_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a").write_text("content")
    monkeypatch.chdir(tmp_path)
    with InputHasher(lambda: None) as prints:
        prints.begin("truth", [Path("a")])
        assert prints.source("truth", Path("a")).path == str(Path.cwd() / "a")


def test_a_deleted_file_has_no_hash(tmp_path: Path) -> None:
    with InputHasher(lambda: None) as prints:
        prints.begin("truth", [tmp_path / "gone"])
        assert prints.source("truth", tmp_path / "gone").sha256 == ""


def test_cancellation_reaches_a_waiting_thread(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("content")
    run = Run()
    run.cancel.cancel()
    with InputHasher(run.check) as prints:
        prints.begin("truth", [tmp_path / "a"])
        with pytest.raises(Cancelled):
            prints.source("truth", tmp_path / "a")
