"""Windows under load: three competitions of moderate size, read, checked and scored."""

from __future__ import annotations

import json
import random
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from jurydesk.app.state.settings import Settings
from jurydesk.app.window.main_window import Window
from jurydesk.core.system.paths import data_folder
from support.files import icfhr, vist

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

QUERIES, WORDS, RELEVANT = 60, 2000, 13
SEQUENCES, STORIES = 60, 5
IMAGES, OBJECTS, DETECTIONS = 60, 15, 60
VOCABULARY = [
    "a",
    "the",
    "big",
    "small",
    "red",
    "dog",
    "cat",
    "boy",
    "park",
    "ran",
    "sat",
    "saw",
    "home",
]


def keyword_spotting(folder: Path) -> list[Path]:
    """Return a relevance file and three systems of 120,000 words each, in the XML of ICFHR 2014."""
    rng = random.Random(2014)
    judged = {
        f"q{query}": [icfhr.word(rng.randrange(9000), relevance="1") for _ in range(RELEVANT)]
        for query in range(QUERIES)
    }
    files = [folder / "relevance.xml"]
    files[0].write_text(icfhr.judgements_text(judged))
    for system in range(3):
        ranked = {
            query: [icfhr.word(rng.randrange(9000)) for _ in range(WORDS)] for query in judged
        }
        files.append(folder / f"system{system}.xml")
        files[-1].write_text(icfhr.results_text(ranked))
    return files


def stories(folder: Path) -> list[Path]:
    """Return human stories of photo sequences, and two submissions."""
    rng = random.Random(2018)
    written: list[dict[str, object]] = []
    reported: dict[str, list[object]] = {"narrators": [], "others": []}
    for number in range(SEQUENCES):
        photos = [f"{number}{place}" for place in range(5)]
        for stories in reported.values():
            text = " ".join(rng.choices(VOCABULARY, k=45))
            stories.append(vist.story(photos, text, str(number)))
        for story in range(STORIES):
            sentences = [" ".join(rng.choices(VOCABULARY, k=9)) for _ in photos]
            written += vist.story_annotations(f"{number}-{story}", photos, sentences)
    files = [vist.write(folder / "human.json", {"annotations": written})]
    for name, stories in reported.items():
        submission = vist.submission(*stories)
        files.append(vist.write(folder / f"{name}.json", submission))
    return files


def dense_captions(folder: Path) -> list[Path]:
    """Return captioned boxes of people and of two programs."""
    rng = random.Random(2016)

    def boxes(count: int) -> list[list[float]]:
        return [[rng.uniform(100, 500) for _ in range(4)] for _ in range(count)]

    def captions(count: int) -> list[str]:
        return [" ".join(rng.choices(VOCABULARY, k=5)) for _ in range(count)]

    def detections() -> dict[str, object]:
        scores = [-rng.random() for _ in range(DETECTIONS)]
        return {
            "boxes": boxes(DETECTIONS),
            "captions": captions(DETECTIONS),
            "logprobs": scores,
        }  # fmt: skip

    people = [
        {"image_id": image, "gt_boxes": boxes(OBJECTS), "gt_captions": captions(OBJECTS)}
        for image in range(IMAGES)
    ]
    files = {folder / "people.json": people}
    for name in ("one", "other"):
        program = [{"image_id": image, "detections": detections()} for image in range(IMAGES)]
        files[folder / f"{name}.json"] = program
    for path, images in files.items():
        path.write_text(json.dumps({"images": images}))
    return [*files]


COMPETITIONS = {
    "keyword spotting": keyword_spotting,
    "stories": stories,
    "dense captions": dense_captions,
}


@contextmanager
def prepared_window(qtbot: QtBot, folder: Path) -> Iterator[Window]:
    """Return a window with its pages built and its views imported."""
    window = Window(Settings(folder / "window.ini"))
    qtbot.addWidget(window)
    window.resize(1280, 828)
    with qtbot.waitSignal(window.painted, timeout=30_000):
        window.show()
    qtbot.waitUntil(lambda: window.jobs.idle, timeout=30_000)
    with qtbot.waitSignal(window.built, timeout=60_000):
        window.build_ahead()
    qtbot.waitUntil(lambda: window.jobs.idle, timeout=30_000)
    yield window
    assert window.jobs.shut_down()
    window.stop_responding()
    window.desks.close()
    window.hide()
    shutil.rmtree(data_folder() / "unsaved", ignore_errors=True)


def with_files(qtbot: QtBot, window: Window, files: list[Path]) -> Window:
    window.files.open_paths(files)
    qtbot.waitUntil(lambda: window.evaluator.checked, timeout=60_000)
    qtbot.waitUntil(lambda: window.jobs.idle, timeout=60_000)
    return window


def score_systems(qtbot: QtBot, window: Window) -> None:
    window.evaluator.score()
    qtbot.waitUntil(lambda: window.evaluator.scoring is None, timeout=60_000)
    qtbot.waitUntil(lambda: window.jobs.idle, timeout=60_000)
