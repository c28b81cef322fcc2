from __future__ import annotations

from pathlib import Path

from jurydesk.core.tasks.fusionbrain.subtasks.image_generation import _folder_of


def test_pictures_of_several_folders_are_copied_into_one(tmp_path: Path) -> None:
    files = [tmp_path / name / "x.png" for name in ("a", "b")]
    for file in files:
        file.parent.mkdir()
        file.write_text(file.parent.name)
    with _folder_of(files) as folder:
        assert sorted(one.read_text() for one in folder.iterdir()) == ["a", "b"]


def test_a_folder_of_these_pictures_alone_is_used_itself(tmp_path: Path) -> None:
    (tmp_path / "x.png").write_text("a")
    with _folder_of([tmp_path / "x.png"]) as folder:
        assert folder == tmp_path
    (tmp_path / "y.png").write_text("b")
    with _folder_of([tmp_path / "x.png"]) as folder:
        assert folder != tmp_path
