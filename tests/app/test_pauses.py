"""The window answers while real work is done, and a cancel is obeyed at once.

What a busy machine adds is taken off (`pauses`). Without what `app.steady` does the same measure
finds pauses that are far too long, which is a test as well.
"""

from __future__ import annotations

import gc
import json
import random
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path

import icfhr_files
import pytest
import vist_files
from pauses import Pauses, Stopwatch

from app.jobs import Job
from app.settings import Settings
from app.window import Window

QUERIES, WORDS, RELEVANT = 60, 2000, 13
SEQUENCES, STORIES = 60, 5
IMAGES, OBJECTS, DETECTIONS = 60, 15, 60
LONGEST = 0.05
SHORT_WAIT = 0.0027
"""A tick of the timer takes the interpreter twice: 1 ms in short turns, 4 ms in Python's own."""
NO_WAIT = 0.0002
CANCELLED_WITHIN = 0.2
TRIES = 6
MANY_OBJECTS = 2_500_000
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
    """A relevance file and three systems of 120,000 words each, in the XML of ICFHR 2014."""
    rng = random.Random(2014)
    judged = {
        f"q{query}": [icfhr_files.word(rng.randrange(9000), relevance="1") for _ in range(RELEVANT)]
        for query in range(QUERIES)
    }
    files = [folder / "relevance.xml"]
    files[0].write_text(icfhr_files.judgements_text(judged))
    for system in range(3):
        ranked = {
            query: [icfhr_files.word(rng.randrange(9000)) for _ in range(WORDS)] for query in judged
        }
        files.append(folder / f"system{system}.xml")
        files[-1].write_text(icfhr_files.results_text(ranked))
    return files


def stories(folder: Path) -> list[Path]:
    """Human stories of photo sequences, and a submission."""
    rng = random.Random(2018)
    told, written = [], []
    for number in range(SEQUENCES):
        photos = [f"{number}{place}" for place in range(5)]
        told.append(vist_files.story(photos, " ".join(rng.choices(VOCABULARY, k=45)), str(number)))
        for story in range(STORIES):
            sentences = [" ".join(rng.choices(VOCABULARY, k=9)) for _ in photos]
            written += vist_files.annotations(f"{number}-{story}", photos, sentences)
    submission = vist_files.write(folder / "narrators.json", vist_files.submission(*told))
    gold = vist_files.write(folder / "human.json", {"annotations": written})
    return [submission, gold]


def dense_captions(folder: Path) -> list[Path]:
    """Captioned boxes of people and of a program."""
    rng = random.Random(2016)

    def boxes(count: int) -> list[list[float]]:
        return [[rng.uniform(100, 500) for _ in range(4)] for _ in range(count)]

    def captions(count: int) -> list[str]:
        return [" ".join(rng.choices(VOCABULARY, k=5)) for _ in range(count)]

    def found() -> dict[str, list[object]]:
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
    program = [{"image_id": image, "detections": found()} for image in range(IMAGES)]
    files = [folder / "people.json", folder / "program.json"]
    for path, images in zip(files, (people, program), strict=True):
        path.write_text(json.dumps({"images": images}))
    return files


COMPETITIONS = {
    "keyword spotting": keyword_spotting,
    "stories": stories,
    "dense captions": dense_captions,
}


@pytest.fixture
def window(qtbot, tmp_path):
    """A window that stands ready: pages are built, views imported."""
    window = Window(Settings(tmp_path / "window.ini"))
    qtbot.addWidget(window)
    window.resize(1280, 828)
    window.show()
    qtbot.waitUntil(lambda: window.steady.running and window.jobs.idle, timeout=30_000)
    with qtbot.waitSignal(window.built, timeout=60_000):
        window.build_ahead()
    qtbot.waitUntil(lambda: window.jobs.idle, timeout=30_000)
    yield window
    assert window.jobs.shut_down()
    window.steady.stop()
    window.desks.close()


@pytest.fixture(params=COMPETITIONS)
def checked(request, qtbot, window, tmp_path) -> Window:
    """A window that has checked the files of a competition, and is not busy at the moment."""
    return with_files(qtbot, window, COMPETITIONS[request.param](tmp_path))


def with_files(qtbot, window: Window, files: list[Path]) -> Window:
    window.files.take(files)
    qtbot.waitUntil(lambda: window.evaluator.checked, timeout=60_000)
    qtbot.waitUntil(lambda: window.jobs.idle, timeout=60_000)
    return window


def scored(qtbot, window: Window) -> None:
    window.evaluator.score()
    qtbot.waitUntil(lambda: window.evaluator.scoring is None, timeout=60_000)
    qtbot.waitUntil(lambda: window.jobs.idle, timeout=60_000)


def shortest(measure: Callable[[], float], limit: float) -> float:
    """The best of a few tries, of which the first that is good enough is enough."""
    found = [measure()]
    while found[-1] > limit and len(found) < TRIES:
        found.append(measure())
    return min(found)


@pytest.mark.parametrize("page", ["board", "items"])
def test_the_window_never_stops_for_50_ms_while_a_competition_is_scored(qtbot, checked, page):
    """Results arrive on the page in front, which shows them."""
    scored(qtbot, checked)
    checked.show_page(page)
    qtbot.wait(100)

    def longest() -> float:
        pauses = Pauses()
        scored(qtbot, checked)
        return pauses.seconds

    assert shortest(longest, LONGEST) <= LONGEST
    assert checked.page.id == page


def test_no_page_that_was_open_before_is_waited_for_50_ms(qtbot, window, tmp_path):
    with_files(qtbot, window, keyword_spotting(tmp_path))
    scored(qtbot, window)

    def longest() -> float:
        pauses = Pauses()
        for page in ("check", "home", "items", "board"):
            window.show_page(page)
            qtbot.wait(60)
        return pauses.seconds

    longest()
    assert shortest(longest, LONGEST) <= LONGEST


def beside(qtbot, window: Window, work: Callable[[object, object], object]) -> Pauses:
    """The pauses beside a job."""
    pauses = Pauses()
    job = window.jobs.start(Job("Working", work))
    qtbot.waitUntil(job.isFinished, timeout=60_000)
    qtbot.waitUntil(lambda: window.jobs.idle)
    return pauses


def many_objects(run: object, tell: object) -> None:
    """Work that holds as many objects as the reader of a large file, and lets go piece by piece."""
    held = [[number] for number in range(MANY_OBJECTS)]
    while held:
        del held[-1000:]


def counting_for_a_while(run: object, tell: object) -> None:
    end = time.thread_time() + 0.3
    while time.thread_time() < end:
        pass


@pytest.fixture
def unsteady(window):
    """The window without what makes it steady."""
    window.steady.stop()
    gc.enable()
    return window


def turn(pauses: Pauses) -> float:
    """How long a tick waits on average, of those that wait at all."""
    waits = [wait for wait in pauses.waits if wait > NO_WAIT]
    return statistics.fmean(waits) if waits else 0.0


def test_a_job_with_millions_of_objects_does_not_stop_the_window(qtbot, window):
    limit = LONGEST
    assert shortest(lambda: beside(qtbot, window, many_objects).seconds, limit) <= limit


def test_that_would_stop_an_unsteady_window(qtbot, unsteady):
    assert beside(qtbot, unsteady, many_objects).seconds > LONGEST


def test_the_window_waits_a_moment_for_its_turn(qtbot, window):
    def wait() -> float:
        return turn(beside(qtbot, window, counting_for_a_while))

    assert shortest(wait, SHORT_WAIT) <= SHORT_WAIT


def test_an_unsteady_window_waits_longer(qtbot, unsteady):
    assert sys.getswitchinterval() >= 0.005
    assert turn(beside(qtbot, unsteady, counting_for_a_while)) > SHORT_WAIT


def test_a_cancel_is_obeyed_within_200_ms_wherever_the_job_is(qtbot, window, tmp_path):
    with_files(qtbot, window, keyword_spotting(tmp_path))
    rng = random.Random(1)
    began = time.perf_counter()
    scored(qtbot, window)
    whole = time.perf_counter() - began
    for share in [0.05, 0.2, 0.4, 0.6, 0.8, 0.95]:
        after = whole * share * rng.uniform(0.9, 1.1)
        taken = shortest(
            lambda after=after: cancelled_after(qtbot, window, after), CANCELLED_WITHIN
        )
        assert taken <= CANCELLED_WITHIN, share


def cancelled_after(qtbot, window: Window, seconds: float) -> float:
    """How long a cancel takes that is asked for so long after the beginning."""
    window.evaluator.score()
    qtbot.wait(round(1000 * seconds))
    watch = Stopwatch()
    window.cancel()

    def ended() -> bool:
        watch.look()
        return window.evaluator.scoring is None

    qtbot.waitUntil(ended, timeout=10_000)
    return watch.seconds
