from __future__ import annotations

import os
from pathlib import Path, PurePath, PurePosixPath, PureWindowsPath

import pytest

from jurydesk.core.execution.run import Run
from jurydesk.core.intake import folder
from jurydesk.core.intake.folder import (
    given_name,
    join_known,
    list_files,
    strip_wrapper_folder,
)
from jurydesk.core.model.input_file import InputFile


@pytest.mark.parametrize(("files", "defects"), [(2, 0), (3, 1)])
def test_files_beyond_the_limit_are_left_out_and_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, files: int, defects: int
) -> None:
    monkeypatch.setattr(folder, "MAX_FILES", 2)
    (tmp_path / "in").mkdir()
    for number in range(files):
        (tmp_path / "in" / f"{number}.txt").write_text("a 1\n")
    found = list_files([tmp_path / "in"], tmp_path / "store", Run())
    assert len(found.files) == 2
    assert [one.found for one in found.defects] == [
        "The folder has more than 2 files; the others were left out."
    ] * defects


@pytest.mark.parametrize(
    ("path", "name"),
    [
        (PureWindowsPath(r"\\server\share"), "share"),
        (PureWindowsPath(r"\\server\share\in"), "in"),
        (PureWindowsPath(r"\\?\UNC\server\share\in"), "in"),
        (PureWindowsPath("C:\\"), "C"),
        (PurePosixPath("/"), "top"),
        (PurePosixPath("/a/in"), "in"),
    ],
)
def test_a_given_folder_has_a_name_on_shares_and_drives_too(path: PurePath, name: str) -> None:
    assert given_name(path) == name


@pytest.mark.parametrize(
    ("submissions", "others", "left"),
    [
        (("top/a.json", "top/b.json"), ("top", "x/y.txt"), ("a.json", "b.json", "top", "x/y.txt")),
        (("all/a/r.json", "all/b/r.json"), ("all/n.txt",), ("a/r.json", "b/r.json", "n.txt")),
        (("team/a.json",), ("x/y.txt",), ("team/a.json", "x/y.txt")),
        (("submissions/a.json",), ("x/y.txt",), ("a.json", "x/y.txt")),
        (("a/one.json", "b/one.json"), (), ("a/one.json", "b/one.json")),
    ],
)
def test_the_folder_around_all_submissions_is_left_out_of_the_names_below_it(
    submissions: tuple[str, ...], others: tuple[str, ...], left: tuple[str, ...]
) -> None:
    files = [InputFile(Path("/given") / name, parts=PurePosixPath(name).parts)
             for name in (*submissions, *others)]  # fmt: skip
    chosen = {Path("/given") / name for name in submissions}
    found = ["/".join(one.parts) for one in strip_wrapper_folder(files, chosen)]
    assert found == list(left)


@pytest.mark.parametrize(
    ("submissions", "others", "left"),
    [
        (("a/b/one.json",), ("a/n.txt",), ("b/one.json", "n.txt")),
        (("a/b/one.json", "a/b/two.json"), ("a/b",), ("one.json", "two.json", "b")),
        (("ALL/team/r.json",), (), ("team/r.json",)),
        (("r.json",), ("x/n.txt",), ("r.json", "x/n.txt")),
        ((), ("x/n.txt",), ("x/n.txt",)),
    ],
)
def test_folders_with_folders_alone_are_around_all_submissions(
    submissions: tuple[str, ...], others: tuple[str, ...], left: tuple[str, ...]
) -> None:
    test_the_folder_around_all_submissions_is_left_out_of_the_names_below_it(
        submissions, others, left
    )


def write(folder: Path, *names: str) -> Path:
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(name)
    return folder


def test_folders_deeper_than_the_limit_are_not_entered(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr(folder, "MAX_DEPTH", 2)
    write(tmp_path / "in", "a.txt", "1/b.txt", "1/2/c.txt", "1/2/3/d.txt")
    found = list_files([tmp_path / "in"], tmp_path / "store", Run())
    assert [one.path.name for one in found.files] == ["a.txt", "b.txt", "c.txt"]


def test_hidden_files_are_counted_and_links_are_named(tmp_path: Path) -> None:
    write(tmp_path / "in", "b.txt", ".a", "x/.b", "a.txt")
    (tmp_path / "in" / "link.txt").symlink_to(tmp_path / "in" / "a.txt")
    (tmp_path / "in" / "links").symlink_to(tmp_path / "in" / "x")
    found = list_files([tmp_path / "in"], tmp_path / "store", Run())
    assert [one.parts for one in found.files] == [("a.txt",), ("b.txt",)]
    hidden = ("2 hidden files created by operating systems.", 2, ".a")
    link = ("It is a link, which is not followed.", 1, None)
    assert [(one.found, one.count, one.place.json_path) for one in found.defects] == [
        link,
        link,
        hidden,
    ]


def test_several_folders_and_files_begin_with_their_names(tmp_path: Path) -> None:
    write(tmp_path, "one/a.txt", "two/x/b.txt", "c.txt", "one/skip.txt")
    given = [tmp_path / "one", tmp_path / "two", tmp_path / "c.txt"]
    skipped = {tmp_path / "one" / "skip.txt"}
    found = list_files(given, tmp_path / "store", Run(), skipped)
    parts = {"/".join(one.parts) for one in found.files}
    assert parts == {"one/a.txt", "two/x/b.txt", "c.txt"}
    (alone,) = list_files([tmp_path / "c.txt"], tmp_path / "store", Run()).files
    assert alone.parts == ("c.txt",)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="pipes have no names here")
def test_a_pipe_is_left_out_and_told(tmp_path: Path) -> None:
    write(tmp_path / "in", "a.txt")
    os.mkfifo(tmp_path / "in" / "pipe")
    found = list_files([tmp_path / "in"], tmp_path / "store", Run())
    assert [one.path.name for one in found.files] == ["a.txt"]
    (defect,) = found.defects
    assert (defect.found, defect.place.path) == (
        "This is a pipe or a device, not a file.",
        str(tmp_path / "in" / "pipe"),
    )


def test_a_folder_of_records_is_read_like_its_tables(tmp_path: Path) -> None:
    name = "7_ann_PhaseId3_2026-03-01_07-33_run.txt"
    head = "Submission ID,File Name,Owner,Created When,Status,Phase\n"
    write(tmp_path / "in", name)
    (tmp_path / "tables").mkdir()
    table = tmp_path / "tables" / "t.csv"
    table.write_text(f"{head}7,run.txt,ann,2026-03-01T10:00:00Z,Finished,Last\n")
    write(tmp_path / "tables", "other.txt")
    for records in ([tmp_path / "tables"], [table]):
        found = list_files([tmp_path / "in"], tmp_path / "store", Run(), records=records)
        (one,) = found.files
        assert (one.entry.id, one.entry.status) == ("7", "Finished")
        unknown = "No platform's table was recognized in this file."
        told = [two.found for two in found.defects]
        assert told == ([unknown] if records[0].is_dir() else [])


def test_files_taken_before_are_joined_with_a_table_by_name(tmp_path: Path) -> None:
    name = "7_ann_PhaseId3_2026-03-01_07-33_run.zip"
    store = tmp_path / "store"
    write(store, f"hash/{name}/run.txt")
    write(tmp_path / "own", name.replace("zip", "txt"))
    table = tmp_path / "t.csv"
    head = "Submission ID,File Name,Owner,Created When,Status,Phase\n"
    table.write_text(f"{head}7,run.zip,ann,2026-03-01T10:00:00Z,Finished,Last\n")
    known = [
        InputFile(store / "hash" / name / "run.txt", parts=("a", "run.txt")),
        InputFile(tmp_path / "gone.txt", parts=("gone.txt",)),
    ]
    found = join_known(known, [table], store, Run())
    (one,) = found.files
    assert (one.entry.id, one.entry.status) == ("7", "Finished")
    (own,) = [InputFile(one) for one in (tmp_path / "own").iterdir()]
    (other,) = join_known([own], [table], store, Run()).files
    assert (other.entry.id, other.entry.status) == ("7", "Finished")
