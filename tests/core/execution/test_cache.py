from __future__ import annotations

import tempfile
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from jurydesk.core.execution.cache import FolderCache


def test_a_cached_value_is_returned(tmp_path: Path) -> None:
    cache = FolderCache(tmp_path / "cache")
    cache.put("chunk 1", b"statistics")
    assert FolderCache(tmp_path / "cache").get("chunk 1") == b"statistics"
    assert cache.get("chunk 2") is None


def test_the_last_value_is_used(tmp_path: Path) -> None:
    cache = FolderCache(tmp_path)
    cache.put("chunk", b"old")
    cache.put("chunk", b"new")
    assert cache.get("chunk") == b"new"


def test_a_damaged_file_counts_as_missing(tmp_path: Path) -> None:
    cache = FolderCache(tmp_path)
    cache.put("chunk", b"statistics")
    (file,) = (path for path in tmp_path.rglob("*") if path.is_file())
    file.write_bytes(file.read_bytes()[:-1])
    assert cache.get("chunk") is None


def test_nothing_is_cached_in_an_unwritable_folder(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    cache = FolderCache(tmp_path / "file")
    cache.put("chunk", b"statistics")
    assert cache.get("chunk") is None


@given(st.text(st.characters(exclude_categories=["Cs"])), st.binary())
def test_any_key_is_a_safe_file_name(key: str, value: bytes) -> None:

    with tempfile.TemporaryDirectory() as folder:
        cache = FolderCache(Path(folder))
        cache.put(key, value)
        assert cache.get(key) == value
