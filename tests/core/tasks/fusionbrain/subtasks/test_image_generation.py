from __future__ import annotations

from pathlib import Path

from jurydesk.core.tasks.fusionbrain.clip.image_text_pairs import ClipPair
from jurydesk.core.tasks.fusionbrain.questions import SubtaskQuestion
from jurydesk.core.tasks.fusionbrain.readers.image_paths import PictureFile, PictureFinder
from jurydesk.core.tasks.fusionbrain.subtasks.image_generation import GeneratedPicture, _folder_of


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


def test_a_picture_without_nearest_captions_has_no_rank(tmp_path: Path) -> None:
    question = SubtaskQuestion("generation", "1", ())
    pair = ClipPair("1", PictureFile("x.png", None, "There is none."), "a dog")
    made = GeneratedPicture(question, pair, 0.5, "", None)._evidence(
        PictureFinder(None, None)  # type: ignore[arg-type]
    )
    assert (made.nearest, made.rank, made.among) == ((), 0, 0)
