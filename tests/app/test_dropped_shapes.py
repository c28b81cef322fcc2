"""A file of any program's shape is recognized when it is dropped under a name that says nothing."""

from __future__ import annotations

import gzip
import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from jurydesk.core.competition.examples import example_folder
from jurydesk.core.competition.task_registry import registry
from jurydesk.core.system.paths import data_folder
from support.files.spotting import write_formats
from support.oracles import oracle
from support.windows.waiting import until_checked, until_open

DENSE = json.loads(oracle("densecap_today/shapes.json").read_text(encoding="utf-8"))["shapes"]
REGIONS = {
    case["name"]: case
    for case in json.loads(
        oracle("densecap_today/region_captioning.json").read_text(encoding="utf-8")
    )
}
ROLES = {"ground_truth": "ground-truth", "detections": "detections", "image_data": "image-data"}
PART = [{"id": 1, "caption": "a kite", "score": 0.5, "tag_set1": []}]
UNREAD = {
    "a Python pickle": b"\x80\x04\x95.",
    "a PyTorch file, which is a pickle": b"PK\x03\x04" + bytes(26) + b"archive/data.pkl",
    "an HDF5 file": b"\x89HDF\r\n\x1a\n",
}
Shape = tuple[bytes, str, str]
"""Content, competition and role of a file."""


def dense_shapes() -> Iterator[Shape]:
    given = {
        json.dumps(shape[member]): role
        for shape in DENSE.values()
        for member, role in ROLES.items()
        if member in shape
    }
    yield from ((text.encode(), "densecap", role) for text, role in given.items())
    yield gzip.compress(json.dumps(DENSE["coco"]["detections"]).encode()), "densecap", "detections"
    yield json.dumps(PART).encode(), "densecap", "detections"


def region_shapes() -> Iterator[Shape]:
    case = REGIONS["one_region"]
    for truth in (case["gt"], case["controlcap"]["ground_truth"]):
        yield json.dumps(truth).encode(), "region-captions", "annotations"
    results = [next(iter(case["files"].values())), case["controlcap"]["result"], PART]
    results.append(REGIONS["per_region"]["results"])
    for result in results:
        yield json.dumps(result).encode(), "region-captions", "results"


def spotting_shapes(folder: Path) -> Iterator[Shape]:
    """Yield a file of each shape that keyword spotting names."""
    files: dict[str, Shape] = {}
    for case, (relevance, *_), results in write_formats(folder):
        kinds = {case["format"]: (relevance, "relevance"), results.name[:-5]: (results, "results")}
        for kind, (path, role) in kinds.items():
            files.setdefault(kind, (path.read_bytes(), "keyword-spotting", role))
    yield from files.values()


@pytest.fixture
def drop(qtbot, make_real_window, tmp_path):
    """Return a function that drops a file of no name on an empty window, and waits for it."""
    window = make_real_window()
    count = iter(range(1000))

    def dropped(content: bytes):
        path = tmp_path / f"x{next(count)}"
        path.write_bytes(content)
        window.files.new()
        shutil.rmtree(data_folder() / "unsaved", ignore_errors=True)
        window.dropped.emit([path])
        qtbot.waitUntil(lambda: bool(window.session.files) and window.jobs.visible() is None)
        return window

    return dropped


@pytest.mark.parametrize("shapes", [dense_shapes, region_shapes, spotting_shapes])
def test_a_dropped_file_is_recognized_or_the_question_names_what_it_may_be(drop, tmp_path, shapes):
    given = shapes(tmp_path) if shapes is spotting_shapes else shapes()
    for content, task, role in given:
        window = drop(content)
        (file,) = window.session.files
        if window.session.task.id != task:
            titles = {one.id: one.title for one in window.file_list.question.tasks}
            assert titles[task] in window.notice.text.text(), content[:200]
            assert window.notice.isVisible()
            buttons = {one.text(): one for one in window.notice.buttons}
            buttons[titles[task]].click()
            (file,) = window.session.files
        assert (window.session.task.id, file.role) == (task, role), content[:200]


def press(window, title):
    {one.text(): one for one in window.notice.buttons}[title].click()


def test_the_question_whose_numbers_are_meant_sets_competition_and_profile(drop):
    window = drop(json.dumps(DENSE["controlcap"]["detections"]).encode())
    titles = ("Dense captioning", "Region captioning")
    said = "These files fit Dense captioning, Region captioning. Which is meant?"
    assert (window.notice.text.text(), tuple(b.text() for b in window.notice.buttons)) == (
        said,
        titles,
    )
    press(window, "Region captioning")
    assert window.session.files[0].role == "results"
    said = "Files of this shape fit glamm, controlcap. Whose numbers are meant?"
    assert window.notice.text.text() == said
    press(window, "controlcap")
    assert window.session.profile == "controlcap"
    for _ in range(2):
        window.evaluator.undo.undo()
    assert window.session.task.title == "Dense captioning"
    assert (window.session.files[0].role, window.session.profile) == ("detections", "published")


@pytest.mark.parametrize(
    ("shape", "programs"),
    [
        ("grit", ["published", "scenic"]),
        ("jivc", ["published", "jivc"]),
        ("densecap-pytorch", ["published", "densecap-pytorch", "densecap-pytorch-1.4"]),
        ("scenic", []),
    ],
)
def test_the_programs_that_have_such_files_are_asked_for(drop, shape, programs):
    window = drop(json.dumps(DENSE[shape]["detections"]).encode())
    assert [one.text() for one in window.notice.buttons if window.notice.isVisible()] == programs


def test_a_further_file_settles_which_competition_is_meant(qtbot, drop, tmp_path):
    case = REGIONS["one_region"]
    window = drop(json.dumps(case["gt"]).encode())
    assert window.session.task.id == "densecap"
    assert window.notice.isVisible()
    path = tmp_path / "y"
    path.write_text(json.dumps(next(iter(case["files"].values()))))
    window.dropped.emit([path])
    qtbot.waitUntil(lambda: len(window.session.files) == 2)
    assert window.session.task.id == "region-captions"
    assert {one.role for one in window.session.files} == {"annotations", "results"}
    assert window.notice.isHidden()


@pytest.mark.parametrize("kind", UNREAD)
def test_a_file_that_can_run_programs_is_named_and_not_opened(drop, kind):
    (file,) = drop(UNREAD[kind] + bytes(64)).session.files
    assert file.reason.startswith(f"This is {kind}, not a file of a competition.")


def test_files_of_another_competition_may_have_a_desk_of_their_own(qtbot, drop, tmp_path):
    window = drop(json.dumps(DENSE["grit"]["ground_truth"]).encode())
    before, fitting = window.session.desk.path, tmp_path / "fitting"
    fitting.write_text(json.dumps(DENSE["grit"]["detections"]))
    window.dropped.emit([fitting])
    until_checked(qtbot, window)
    known = {one.path for one in window.session.files}
    story = tmp_path / "story"
    shutil.copy(example_folder(registry().tasks["vist"]) / "storyteller.json", story)
    window.dropped.emit([story])
    said = "1 file of Visual storytelling; the open desk is for Dense captioning."
    qtbot.waitUntil(lambda: window.notice.text.text() == said and window.notice.isVisible())
    press(window, "Open as a new desk")
    qtbot.waitUntil(lambda: [one.path for one in window.session.files] == [story])
    assert window.session.task.id == "vist"
    assert window.notice.isHidden()
    until_open(qtbot, window, before)
    assert {one.path for one in window.session.files} == known
