"""What a stranger's file is: each kind has its sentence, and no file is left out in silence."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

import numpy as np
import pytest

from jurydesk.core.competition.task import Sniff
from jurydesk.core.competition.task_registry import registry
from jurydesk.core.desk import Desk
from jurydesk.core.execution.run import Run
from jurydesk.core.intake.classify import classify_files, count_pictures, find_example
from jurydesk.core.system.paths import resources_folder
from support.files.platforms import picture, zipped

EXAMPLE = resources_folder() / "examples" / "vist"


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JURYDESK_HOME", str(tmp_path / "home"))


def classified(*paths: Path, **more):
    return classify_files(paths, Run(), **more)


def arrays() -> bytes:
    np.savez(content := io.BytesIO(), a=np.zeros(2))
    return content.getvalue()


@pytest.mark.parametrize(
    ("name", "content", "reason"),
    [
        ("empty.txt", b"", "The file is empty (0 bytes)."),
        ("a.json", b'{"format": "jurydesk answers"', "This is answers of Jurydesk, not a file"),
        ("b.json", b'{"format": "jurydesk packet"', "This is a packet of Jurydesk, not a file"),
        ("c.json", b'{"schema": 1, "short": "x"', "This is a stamp that Jurydesk wrote, not a"),
        ("d.pkl", b"\x80\x04K\x01.", "This is a Python pickle, not a file of a competition. Open"),
        ("e.h5", b"\x89HDF\r\n\x1a\n", "This is an HDF5 file, not a file of a competition. Train"),
    ],
)
def test_a_file_of_no_competition_says_what_it_is(tmp_path, name, content, reason):
    path = tmp_path / name
    path.write_bytes(content)
    (found,) = classified(path)
    assert found.path == path
    assert found.reason.startswith(reason)
    assert found.guesses == {}
    if content:
        assert (found.size, found.modified) == (len(content), path.stat().st_mtime_ns)


def test_a_desk_is_named_as_one(tmp_path):
    path = tmp_path / "a.jurydesk"
    Desk.create(path).close()
    (found,) = classified(path)
    assert found.reason == "This is a desk of Jurydesk, not a file of a competition."


def test_items_that_this_program_wrote_are_a_table_and_nothing_else(tmp_path):
    path = tmp_path / "items.csv"
    path.write_text("system,profile,item,ap\na,published,q1,0.5\n")
    (found,) = classified(path)
    assert (set(found.guesses), found.reason) == ({"table"}, "")


def test_a_table_of_another_program_may_belong_to_another_competition(tmp_path, monkeypatch):
    tasks = registry().tasks
    fits = [(tasks["retrieval"], Sniff("results", 0.9)), (tasks["table"], Sniff("results", 0.5))]
    monkeypatch.setattr(type(registry()), "sniff", lambda self, head: fits)
    (tmp_path / "a.csv").write_text("query;image\n")
    (file,) = classified(tmp_path / "a.csv")
    assert {*file.guesses} == {"retrieval", "table"}


def test_a_file_that_cannot_be_read_has_the_reason(tmp_path, monkeypatch):
    path = tmp_path / "a.txt"
    path.write_text("x")

    def refuse(_: Path) -> bytes:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("jurydesk.core.intake.classify.open_head", refuse)
    (found,) = classified(path)
    assert found.reason == "The file cannot be read (permission denied)."


def test_pictures_of_a_folder_and_of_an_archive_are_one_folder_each(tmp_path):
    folder = tmp_path / "in"
    for name in ("a/1.png", "a/b/2.JPG", "readme.txt", "manual.pdf", "run.txt"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(picture())
    archive = tmp_path / "more.zip"
    archive.write_bytes(zipped({"x/3.png": picture(), "x/4.png": picture()}))
    defects = []
    found = classified(folder, archive, defects=defects)
    folders = [(one.path.name, one.pictures) for one in found if one.pictures]
    assert folders == [("a", 2), ("x", 2)]
    assert [one.path.name for one in found if not one.pictures] == ["run.txt"]
    (note,) = defects
    assert (str(note.severity), note.found, note.count) == (
        "note",
        "2 documents: in/manual.pdf, in/readme.txt.",
        2,
    )
    assert count_pictures(folder) == 2
    assert count_pictures(folder / "a" / "1.png") == 0


def test_a_document_that_was_given_by_itself_is_told_of(tmp_path):
    path = tmp_path / "readme.txt"
    path.write_text("Read me.")
    assert [one.path for one in classified(path)] == [path]


def test_an_example_is_a_folder_with_its_list_and_the_list_is_no_file_of_it(tmp_path):
    assert find_example([EXAMPLE]) == EXAMPLE
    assert find_example([EXAMPLE, EXAMPLE]) is None
    assert find_example([tmp_path]) is None
    assert find_example([next(one for one in EXAMPLE.iterdir() if one.is_file())]) is None
    found = {one.path.name for one in classified(EXAMPLE)}
    assert found
    assert "example.json" not in found
    assert len(found) < len([*EXAMPLE.iterdir()])


@pytest.mark.parametrize("content", [arrays(), zipped({"a.txt": b"x"})], ids=["npz", "zip"])
def test_files_that_are_not_written_yet_are_left_for_later(tmp_path, content):
    assert zipfile.is_zipfile(io.BytesIO(content))
    path = tmp_path / "in" / "a.bin"
    path.parent.mkdir()
    path.write_bytes(content)
    assert classified(tmp_path / "in", unwritten=(path,)) == ()
