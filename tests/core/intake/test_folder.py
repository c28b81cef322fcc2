from __future__ import annotations

from pathlib import Path, PurePath, PurePosixPath, PureWindowsPath

import pytest

from jurydesk.core.execution.run import Run
from jurydesk.core.intake import folder
from jurydesk.core.intake.folder import given_name, list_files


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
