from __future__ import annotations

from pathlib import Path, PurePath, PurePosixPath, PureWindowsPath

import pytest

from jurydesk.core.execution.run import Run
from jurydesk.core.intake import folder
from jurydesk.core.intake.folder import given_name, list_files, strip_wrapper_folder
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
