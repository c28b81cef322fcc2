"""Pictures found by names that a stranger chose: only those that the folder lists."""

from __future__ import annotations

import unicodedata
from pathlib import Path

import pytest

from jurydesk.core.readers.picture_folder import FolderListing, PictureFolder, leaves_folder

NAMES = ("027_029_001.png", "scan.1.PNG", "COCO_val2014_000000486531.jpg", "caf\u00e9.tif")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder of pictures beside a secret one."""
    inside = tmp_path / "pictures"
    (inside / "deep").mkdir(parents=True)
    for place in (*NAMES, "notes.txt", "deep/a.png", "../secret.png"):
        (inside / place).touch()
    (inside / "folder.png").mkdir()
    return inside


def strange_names(folder: Path) -> list[str]:
    secret = folder.parent / "secret.png"
    return [
        str(secret),
        str(folder / NAMES[0]),
        "../secret",
        "../secret.png",
        "deep/../../secret.png",
        "..\\secret.png",
        "C:\\secret.png",
        "C:027_029_001.png",
        "\\\\host\\share\\secret.png",
        "//host/share/secret.png",
        "\\\\?\\C:\\secret.png",
        "CON",
        "NUL.png",
        "",
        ".",
        "/",
        "a\0b",
        "x" * 5000,
        unicodedata.normalize("NFD", NAMES[-1]),
        "notes.txt",
        "folder.png",
    ]


@pytest.mark.parametrize("suffix", ["png", "PNG", "jpg", "jpeg", "tif", "tiff", "webp", "gif"])
def test_a_picture_is_found_by_its_name_with_and_without_suffix(tmp_path: Path, suffix: str):
    path = tmp_path / f"027_029_001.{suffix}"
    path.touch()
    found = PictureFolder(tmp_path)
    assert [found.find(name) for name in ("027_029_001", path.name)] == [path, path]


def test_a_missing_folder_has_no_pictures(tmp_path: Path):
    for folder in (None, tmp_path / "gone"):
        assert len(PictureFolder(folder)) == 0
        assert PictureFolder(folder).find("a") is None


def test_a_name_that_the_folder_does_not_list_finds_nothing(folder: Path):
    found, listing = PictureFolder(folder, by_number=True), FolderListing()
    for name in strange_names(folder):
        assert found.find(name) is None, name
        if not name.endswith("folder.png") and name != "notes.txt" and not name.startswith("/"):
            assert listing.find(folder, name) is None, name


def test_a_dot_in_a_name_is_no_suffix_and_coco_counts_by_number(folder: Path):
    found = PictureFolder(folder, by_number=True)
    assert found.find("scan.1") == folder / "scan.1.PNG"
    assert found.find("486531") == folder / NAMES[2]
    assert PictureFolder(folder).find("486531") is None


def test_a_path_is_followed_part_by_part(folder: Path):
    listing = FolderListing()
    assert listing.find(folder, "deep/a.png") == folder / "deep" / "a.png"
    assert listing.find(folder, "/./deep/a.png") == folder / "deep" / "a.png"
    assert listing.find(folder, "Deep/a.png") is None
    assert listing.find(folder, "deep") is None


def test_an_absolute_path_counts_only_in_a_given_folder(folder: Path):
    listing = FolderListing()
    picture = folder / "deep" / "a.png"
    assert listing.find_absolute([folder], str(picture)) == picture
    for path in (folder.parent / "secret.png", folder / ".." / "secret.png"):
        assert listing.find_absolute([folder], str(path)) is None
    assert listing.find_absolute([folder], "deep/a.png") is None
    assert listing.find_absolute([], str(picture)) is None


@pytest.mark.parametrize(
    ("name", "leaves"),
    [("a.png", False), ("a/b..c.png", False), ("/a", True), ("a/../b", True), ("D:a", True)],
)
def test_a_path_that_would_leave_its_folder_is_known_by_its_text(name: str, leaves: bool):
    assert leaves_folder(name) is leaves


def test_a_name_that_differs_in_form_case_or_slashes_alone_is_found_if_it_is_one(tmp_path: Path):
    for name in ("Deep/A.png", "Deep/caf\u00e9.png", "two/b.png", "two/B.png"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).touch()
    listing = FolderListing()
    alike = {
        "deep\\a.PNG": "Deep/A.png",
        "./deep//cafe\u0301.png": "Deep/caf\u00e9.png",
        "two/b.png": "two/b.png",
        "two/b.PNG": None,
        "deep": None,
        "": None,
        "deep/c.png": None,
    }
    assert {name: listing.find_alike(tmp_path, name) for name in alike} == alike


def test_coco_s_number_has_no_leading_zeros_and_its_end_alone_counts(tmp_path: Path):
    for name in ("a_0012.png", "b_000.png", "c_7x.png"):
        (tmp_path / name).touch()
    found = PictureFolder(tmp_path, by_number=True)
    assert found.find("12") == tmp_path / "a_0012.png"
    assert [found.find(name) for name in ("", "0", "7", "0012", "7x")] == [None] * 5
    assert found.find("any/a_0012.PNG") == tmp_path / "a_0012.png"
    assert len(found) == 3
