from __future__ import annotations

from pathlib import Path

from jurydesk.core.tasks.fusionbrain.clip.image_text_pairs import ClipPair
from jurydesk.core.tasks.fusionbrain.questions import SubtaskQuestion
from jurydesk.core.tasks.fusionbrain.readers.image_paths import PictureFile, PictureFinder
from jurydesk.core.tasks.fusionbrain.subtasks.image_generation import GeneratedPicture


def test_a_picture_without_nearest_captions_has_no_rank(tmp_path: Path) -> None:
    question = SubtaskQuestion("generation", "1", ())
    pair = ClipPair("1", PictureFile("x.png", None, "There is none."), "a dog")
    made = GeneratedPicture(question, pair, 0.5, "", None)._evidence(
        PictureFinder(None, None)  # type: ignore[arg-type]
    )
    assert (made.nearest, made.rank, made.among) == ((), 0, 0)
