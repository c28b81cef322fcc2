"""Files of a stamp are found by content or name; a strange share is never opened."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from jurydesk.core.desk import Desk
from jurydesk.core.desk.tables.input_table import InputRow, locate_desk_input
from jurydesk.core.execution import stamped_files
from jurydesk.core.execution.run import Run
from jurydesk.core.execution.sharded_jobs import merge_shards
from jurydesk.core.execution.stamped_files import locate_folder, locate_input
from jurydesk.core.model.checks import CheckRecord, FileCheck
from jurydesk.core.model.evaluation import Source
from jurydesk.core.system import network_shares
from jurydesk.core.workflow import desk_state

TIME = "2026-11-29T12:00:00Z"
CONTENT = b"a 1\n"
SHA256 = hashlib.sha256(CONTENT).hexdigest()


def write(path: Path, content: bytes = CONTENT) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    return path


def located(recorded: str, *folders: Path):
    found = locate_input(Source("truth", recorded, 4, SHA256), folders, Run())
    return found.path, found.difference and found.difference.sentence


@pytest.fixture
def shared(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a file whose path is that of a share for Windows, which this system opens."""
    monkeypatch.setenv(network_shares.SHARES, "")
    monkeypatch.setattr(network_shares, "IS_WINDOWS", True)
    return Path(f"/{write(tmp_path / 'share' / 'a.txt')}")


def test_the_right_content_counts_before_the_recorded_place(tmp_path):
    here = write(tmp_path / "old" / "a.txt", b"other")
    there = write(tmp_path / "new" / "a.txt")
    assert located(str(here), tmp_path / "new") == (there, None)
    changed = "a.txt changed: its SHA-256 is d9298a10d1b0, the stamp has "
    path, sentence = located(str(here))
    assert (path, sentence) == (here, f"{changed}{SHA256[:12]}.")


def test_a_name_alone_is_looked_for_below_the_folders_to_a_depth(tmp_path, monkeypatch):
    deep = write(tmp_path / "1" / "2" / "3" / "4" / "a.txt")
    assert located("a.txt", tmp_path) == (deep, None)
    assert located("/gone/a.txt", tmp_path)[0] is None
    write(tmp_path / "1" / "2" / "3" / "4" / "5" / "b.txt")
    assert located("b.txt", tmp_path)[0] is None
    monkeypatch.setattr(stamped_files, "MAX_FOLDERS", 4)
    assert located("a.txt", tmp_path)[0] is None
    monkeypatch.setattr(stamped_files, "MAX_FOLDERS", 5)
    assert located("a.txt", tmp_path)[0] == deep
    monkeypatch.undo()
    other = write(tmp_path / "0" / "a.txt")
    assert located("a.txt", tmp_path)[0] == other
    assert located("4\\a.txt", tmp_path)[0] == deep


def test_what_is_missing_is_told_with_the_places(tmp_path):
    given = [tmp_path / "x", tmp_path / "y"]
    end = ": give its folder with --inputs FOLDER."
    assert located("/old/a.txt", *given) == (
        None,
        f"a.txt is missing from /old/, {given[0]}, {given[1]}{end}",
    )
    folder = locate_folder(Source("images", "/old/pictures/", 0, ""), given)
    assert folder.path is None
    assert folder.difference.sentence.startswith("The folder pictures is missing: searched for ")
    (tmp_path / "y" / "pictures").mkdir(parents=True)
    assert locate_folder(folder.source, given).path == tmp_path / "y" / "pictures"


def test_a_file_on_a_strange_share_is_missing_and_found_where_the_user_says(shared, tmp_path):
    assert shared.is_file()
    path, sentence = located(str(shared))
    assert path is None
    assert sentence == (
        f"{shared} is on a network share that you did not choose: give its folder with "
        "--inputs FOLDER."
    )
    own = write(tmp_path / "own" / "a.txt")
    assert located(str(shared), tmp_path / "own") == (own, None)
    folder = locate_folder(Source("images", str(shared.parent), 0, ""), [tmp_path / "own"])
    assert folder.path is None
    assert folder.difference.sentence.startswith(f"{shared.parent} is on a network share that you ")
    assert merge_shards._folder(str(shared.parent), [tmp_path]) == tmp_path / "share"
    assert merge_shards._folder(str(shared.parent), []) == Path("share")


def test_a_desk_s_input_on_a_strange_share_is_a_file_beside_it(shared, tmp_path):
    source = Source("truth", str(shared), 4, SHA256)
    folder = tmp_path / "desk"
    for relative in (None, str(shared), "gone.txt"):
        assert locate_desk_input(InputRow(source, relative, 0), folder) == folder / "a.txt"
    inside = InputRow(source, "../share/a.txt", 0)
    folder.mkdir()
    assert locate_desk_input(inside, folder) == tmp_path / "share" / "a.txt"


def test_a_file_on_a_strange_share_that_a_desk_has_checked_is_one_beside_it(shared, tmp_path):
    (tmp_path / "desk").mkdir()
    with Desk.create(tmp_path / "desk" / "checked.jurydesk") as desk:
        desk.add_check(CheckRecord(TIME, (FileCheck(str(shared), "truth", "passed", "", TIME),)))
        ((file, recorded),) = desk_state._checked_files(desk)
    assert (file.path, recorded) == (tmp_path / "desk" / "a.txt", str(shared))
