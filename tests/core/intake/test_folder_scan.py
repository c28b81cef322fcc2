from __future__ import annotations

import shutil
from pathlib import Path

from jurydesk.core.intake import folder_scan
from jurydesk.core.intake.folder_scan import FolderScanner, list_states


def test_an_existing_file_is_reported_once_when_it_no_longer_changes(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text("1")
    watch = FolderScanner(tmp_path)
    assert [watch.look(now) for now in (0, 1, 2, 3, 4, 5)] == [
        *(False, False, False),
        *(True, False, False),
    ]


def test_a_growing_file_is_not_reported_before_it_is_complete(tmp_path: Path) -> None:
    watch = FolderScanner(tmp_path)
    assert not watch.look(0)
    with (tmp_path / "a.json").open("w") as file:
        for now in range(1, 8):
            file.write("x" * 100)
            file.flush()
            assert not watch.look(now)
            assert watch.unwritten == {tmp_path / "a.json"}
    assert not watch.look(8)
    assert not watch.look(9)
    assert watch.look(10)
    assert watch.unwritten == set()


def test_a_long_upload_delays_other_files_only_briefly(tmp_path: Path) -> None:
    (tmp_path / "north.json").write_text("1")
    long = tmp_path / "south.json"
    watch = FolderScanner(tmp_path)
    news = []
    for now in range(40):
        if now < 30:
            long.write_text("x" * now)
        if watch.look(now):
            news.append((now, watch.unwritten))
    assert news == [(13, {long}), (32, set())]


def test_files_copied_together_are_reported_together(tmp_path: Path) -> None:
    watch = FolderScanner(tmp_path)
    news = []
    for now in range(12):
        if now < 6:
            (tmp_path / f"{now}.json").write_text("1")
        if watch.look(now):
            news.append(now)
    assert news == [8]


def test_a_rewritten_file_is_reported_again_whatever_happened_between(
    tmp_path: Path,
) -> None:
    path = tmp_path / "a.json"
    path.write_text("1")
    watch = FolderScanner(tmp_path)
    assert [watch.look(0), watch.look(3)] == [False, True]
    (tmp_path / "b.json").write_text("1")
    assert not watch.look(4)
    for now in range(5, 18):
        path.write_text("2" * now)
        assert watch.look(now) == (now == 17)
    assert watch.unwritten == {path}
    assert [watch.look(18), watch.look(20), watch.look(21)] == [False, True, False]


def test_a_replaced_file_and_a_removed_one_are_reported(tmp_path: Path) -> None:
    path = tmp_path / "north" / "a.json"
    path.parent.mkdir()
    path.write_text("1")
    watch = FolderScanner(tmp_path)
    watch.look(0)
    assert watch.look(5)
    path.write_text("22")
    assert not watch.look(6)
    assert watch.look(9)
    path.unlink()
    assert not watch.look(10)
    assert watch.look(13)


def test_hidden_files_and_links_are_ignored(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    watch = FolderScanner(tmp_path / "in")
    (tmp_path / "in" / ".a.json.tmp").write_text("1")
    (tmp_path / "secret").write_text("1")
    (tmp_path / "in" / "link").symlink_to(tmp_path / "secret")
    assert not any(watch.look(now) for now in range(10))


def test_a_removed_folder_is_noticed_and_a_restored_one_too(tmp_path: Path) -> None:
    folder = tmp_path / "in"
    folder.mkdir()
    (folder / "a.json").write_text("1")
    watch = FolderScanner(folder)
    watch.look(0)
    assert watch.look(3)
    shutil.rmtree(folder)
    assert not watch.look(4)
    assert not watch.there
    folder.mkdir()
    assert watch.look(8)
    assert watch.there


def test_a_scan_ends_at_its_limit_and_says_nothing_of_a_folder_below_it(tmp_path, monkeypatch):
    for number in range(4):
        (tmp_path / f"{number}.txt").write_text("x" * number)
    for limit, count in ((3, 3), (4, 4), (5, 4)):
        monkeypatch.setattr(folder_scan, "MAX_FILES", limit)
        assert len(list_states(tmp_path)) == count
    states = list_states(tmp_path)
    assert {path.name: size for path, (size, _) in states.items()} == {
        f"{number}.txt": number for number in range(4)
    }


def test_complete_files_wait_for_others_no_longer_than_the_limit(tmp_path):
    scanner = FolderScanner(tmp_path)
    (tmp_path / "whole.txt").write_text("x")
    growing = tmp_path / "growing.txt"
    looks = []
    for second in range(16):
        growing.write_text("x" * second)
        looks.append(scanner.look(float(second)))
    # whole at 3 s, when the wait of 10 s begins
    assert [second for second, taken in enumerate(looks) if taken] == [13]
    assert scanner.unwritten == {growing}


def test_a_file_that_vanishes_while_it_is_listed_hides_no_other(tmp_path, monkeypatch):
    for name in ("a.txt", "b.txt", "c.txt"):
        (tmp_path / name).write_text(name)
    stat = Path.stat

    def vanish(path, **options):
        if path.name == "b.txt":
            raise FileNotFoundError(path)
        return stat(path, **options)

    monkeypatch.setattr(Path, "stat", vanish)
    assert {path.name for path in list_states(tmp_path)} == {"a.txt", "c.txt"}
