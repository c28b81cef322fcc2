"""GW20 as neural-ctrlf keeps it, and boxes in the scale of a smaller image."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from jurydesk.core.execution.run import Run
from jurydesk.core.model.defects import Severity
from jurydesk.core.tasks.keyword_spotting.keyword_spotting_options import KeywordSpottingOptions
from jurydesk.core.tasks.keyword_spotting.keyword_spotting_task import TASK
from support.files.spotting import Outcome, score_texts


def write_gw20(folder: Path, *, count: str = "2", words: str = "and\nthe\nof\n") -> list[Path]:
    """Write two pages as neural-ctrlf keeps them, and their images of 200 x 100 pixels."""
    from PIL import Image

    images = folder / "images"
    images.mkdir()
    for name in ("270", "271"):
        Image.new("L", (200, 100)).save(images / f"{name}.png")
    files = {
        "270_boxes.txt": f"{count}\n0.1 0.299 0.2 0.4\n0.5 0.75 0.2 0.4\n",
        "271_boxes.txt": "1\n0 1 0 0.999\n",
        "annotations.txt": words,
    }
    for name, text in files.items():
        (folder / name).write_text(text)
    (folder / "found.dat").write_text("and 270 20 20 39 20 .9\nthe 270 100 20 50 20 .8\n")
    return [folder / name for name in files]


def score_gw20(folder: Path, paths: list[Path], images: Path | None) -> Outcome:
    inputs = {"relevance": paths, "results": [folder / "found.dat"]}
    if images is not None:
        inputs["images"] = [images]
    options, run = KeywordSpottingOptions(protocol="ctrlf50"), Run()
    references = TASK.readers.read_references(inputs, options, run)
    if references.data is None:
        return Outcome(None, references.defects)
    lists = TASK.readers.read_submission(inputs["results"][0], references.data, options, run)
    assert lists.data is not None
    evaluation = TASK.scoring.evaluate(references.data, lists.data, options, run)
    return Outcome(evaluation, references.defects)


def test_shares_of_a_page_become_pixels_of_its_image(tmp_path: Path) -> None:
    found = score_gw20(tmp_path, write_gw20(tmp_path), tmp_path / "images")
    assert found.evaluation is not None
    (missed,) = found.evaluation.items.show(found.evaluation.items.ids.index("of")).missed
    assert (missed.name, missed.box) == ("271", (0, 0, 200, 99))
    (hit,) = found.evaluation.items.show(0).items
    assert (hit.hit, hit.near) == (True, (20, 20, 39, 20))
    assert found.scores()["map"] == pytest.approx(2 / 3)


@pytest.mark.parametrize(
    ("changes", "has_images", "expected"),
    [
        ({}, False, "the size of its image is needed"),
        ({"count": "3"}, True, "The first line says 3; the file has 2 boxes."),
        ({"words": "and\nthe\n"}, True, "The file has 2 words, the pages have 3 boxes."),
    ],
)
def test_pages_that_lack_something_are_refused(
    changes: dict[str, str], has_images: bool, expected: str, tmp_path: Path
) -> None:
    paths = write_gw20(tmp_path, **changes)
    found = score_gw20(tmp_path, paths, tmp_path / "images" if has_images else None)
    assert any(expected in text for text in found.texts(Severity.ERROR))


def test_boxes_of_a_smaller_image_are_recognized(tmp_path: Path) -> None:
    random = np.random.default_rng(4)
    places = random.integers(0, 3000, (60, 2)).tolist()
    relevant = "".join(f"w p{n % 4} {x} {y} 200 90\n" for n, (x, y) in enumerate(places))
    listed = "".join(
        f"w p{n % 4} {round(x * 0.3)} {round(y * 0.3)} 60 27 .{n + 10}\n"
        for n, (x, y) in enumerate(places)
    )
    found = score_texts(tmp_path, relevant, listed, protocol="iou50")
    (remark,) = (one for one in found.defects if one.transformation is not None)
    assert "in the scale of the page" in str(remark)
    assert remark.transformation is not None
    assert remark.transformation.factor == pytest.approx(0.3, rel=0.02)
