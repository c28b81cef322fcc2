from __future__ import annotations

from pathlib import PurePosixPath, PureWindowsPath

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jurydesk.core.intake.archive import is_system_file, safe_parts, unsafe_reason


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("../up.json", "Its name leads out of the archive (..)."),
        ("a/../../up.json", "Its name leads out of the archive (..)."),
        ("a\\..\\..\\up.json", "Its name leads out of the archive (..)."),
        ("/etc/passwd", "Its name is an absolute path."),
        ("\\\\server\\share", "Its name is an absolute path."),
        ("C:\\up.json", "Its name is an absolute path."),
        ("c:up.json", "Its name is an absolute path."),
        ("a\x00b.json", "Its name contains control characters."),
        ("a\nb.json", "Its name contains control characters."),
        ("./", "It has no name."),
        ("/".join("d" * 40), "It is more than 32 folders deep."),
        ("ä" * 101, "Its name is longer than 200 bytes."),
    ],
)
def test_a_name_that_leads_outside_is_refused(name: str, why: str) -> None:
    assert unsafe_reason(name) == why


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("north/run.json", ("north", "run.json")),
        ("./north//run.json", ("north", "run.json")),
        ("north\\run.json", ("north", "run.json")),
        ("who?.json", ("who_.json",)),
        ("north. /run.json", ("north", "run.json")),
        ("con.json", ("_con.json",)),
        ("LPT1", ("_LPT1",)),
        ("txt.\u202enosj.exe", ("txt._nosj.exe",)),
        ("cafe\u0301.json", ("caf\u00e9.json",)),
    ],
)
def test_other_names_are_written_so_that_every_system_accepts_them(
    name: str, parts: tuple[str, ...]
) -> None:
    assert not unsafe_reason(name)
    assert safe_parts(name) == parts


@given(st.text(max_size=60) | st.from_regex(r"([./\\]|[A-Z]:|\.\.|a|con)*", fullmatch=True))
def test_no_name_leads_out_of_its_folder(name: str) -> None:
    if not unsafe_reason(name):
        parts = safe_parts(name)
        for kind in (PurePosixPath, PureWindowsPath):
            path = kind("/store").joinpath(*parts)
            assert path.is_relative_to(kind("/store"))
            assert ".." not in path.parts
            assert len(path.parts) == len(kind("/store").parts) + len(parts)


def test_files_of_operating_systems_are_recognized() -> None:
    assert is_system_file(("__MACOSX", "north", "._run.json"))
    assert is_system_file((".DS_Store",))
    assert is_system_file(("north", "Thumbs.db"))
    assert not is_system_file(("north", "run.json"))
