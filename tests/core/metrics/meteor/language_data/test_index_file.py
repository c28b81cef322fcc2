import os
import shutil
from dataclasses import fields
from pathlib import Path

import pytest

from jurydesk.core.metrics.meteor.language_data.build_index import build_index_file
from jurydesk.core.metrics.meteor.language_data.index_file import Arrays, IndexDamaged, open_index
from jurydesk.core.metrics.meteor.language_data.source_files import LanguageData
from support.execution.square_chunks import wait_until

HOUR_NS = 3600 * 10**9


@pytest.fixture
def path(tiny: LanguageData, tmp_path: Path) -> Path:
    path = tmp_path / "tiny.index"
    build_index_file(tiny, path)
    return path


def flip(path: Path, place: int) -> None:
    with path.open("r+b") as file:
        file.seek(place)
        byte = file.read(1)[0]
        file.seek(place)
        file.write(bytes([byte ^ 0x10]))


def wait_for_a_tick(path: Path) -> None:
    """Wait until a change of the file would get a later time stamp."""
    probe = path.with_suffix(".probe")

    def later() -> bool:
        probe.write_bytes(b"")
        return probe.stat().st_ctime_ns > path.stat().st_ctime_ns

    wait_until(later)


def test_an_index_contains_the_arrays_and_short_lists(path: Path):
    index = open_index(path)
    assert index.function_words == {"the", "a", "."}
    assert index.prefixes == {"Mr": False, "No": True}
    assert set(index.sources) == {
        "function/english.words",
        "nonbreaking/english.prefixes",
        "synonym/english.synsets",
        "synonym/english.exceptions",
        "data/paraphrase-en.gz",
    }
    assert index.synset_count == 4


def test_any_flipped_byte_is_detected(path: Path):
    whole = path.read_bytes()
    for place in range(0, len(whole), len(whole) // 500):
        path.write_bytes(whole)
        flip(path, place)
        with pytest.raises(IndexDamaged):
            open_index(path)


def test_damage_to_a_trusted_file_is_detected(path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("jurydesk.core.metrics.meteor.language_data.index_file.SETTLED_NS", 0)
    open_index(path)
    assert path.with_suffix(".verified").is_file()
    wait_for_a_tick(path)
    times = path.stat().st_atime_ns, path.stat().st_mtime_ns
    flip(path, path.stat().st_size - 70)
    os.utime(path, ns=times)
    if os.name == "posix":  # elsewhere no change time shows it
        with pytest.raises(IndexDamaged):
            open_index(path)
    with pytest.raises(IndexDamaged):
        open_index(path, check=True)


def test_a_trusted_file_is_opened_without_its_checksums(
    path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("jurydesk.core.metrics.meteor.language_data.index_file.SETTLED_NS", 0)
    open_index(path)
    monkeypatch.setattr("jurydesk.core.metrics.meteor.language_data.index_file._checksum", None)
    open_index(path)


def test_a_new_file_is_not_trusted_yet(path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("jurydesk.core.metrics.meteor.language_data.index_file.SETTLED_NS", HOUR_NS)
    open_index(path)
    assert not path.with_suffix(".verified").exists()


def test_a_truncated_file_is_detected(path: Path):
    whole = path.read_bytes()
    for length in (0, 5, 12, 200, len(whole) - 1):
        path.write_bytes(whole[:length])
        with pytest.raises(IndexDamaged):
            open_index(path)


def test_another_format_is_refused(path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("jurydesk.core.metrics.meteor.language_data.index_file.FORMAT", 99)
    with pytest.raises(IndexDamaged, match="has format 3, not 99"):
        open_index(path)


def test_an_index_in_an_unwritable_folder_is_opened(path: Path, tmp_path: Path):
    folder = tmp_path / "read only"
    folder.mkdir()
    shutil.copy(path, folder / "tiny.index")
    folder.chmod(0o555)
    try:
        assert open_index(folder / "tiny.index").synset_count == 4
    finally:
        folder.chmod(0o755)


def test_arrays_are_mapped_read_only(path: Path):
    arrays = open_index(path).arrays
    for field in fields(Arrays):
        assert not getattr(arrays, field.name).flags.writeable
