"""Inspector of a scene: boxes, captions and records of an image are linked."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from jurydesk.app.inspectors.densecap.densecap_inspector import SceneInspector
from jurydesk.app.inspectors.densecap.densecap_model import detection_verdict
from jurydesk.app.inspectors.inspector import InspectedItem
from jurydesk.app.inspectors.inspector_registry import INSPECTORS
from jurydesk.app.jobs.job import view_jobs
from jurydesk.app.style.theme import px
from jurydesk.core.metrics.detection.error_analysis import KINDS, LEFT_OUT, TRUE
from jurydesk.core.metrics.detection.threshold_what_if import Thresholds
from jurydesk.core.metrics.meteor import LanguageDataMissing
from jurydesk.core.tasks.densecap.densecap_evidence import Detection, Object, Scene
from support.windows.dense_evaluations import FOLDER, evaluations

Key = Qt.Key
CUT = Thresholds(0.5, 0.1)
BOX = (10.0, 10.0, 59.0, 49.0)
FAR = (200.0, 100.0, 239.0, 139.0)
SCENE = Scene(
    "kites",
    (Object(BOX, ("a red kite", "the kite is red")), Object(FAR, ("a dog",))),
    (
        Detection(2, BOX, "a red kite", -0.1, 0, 0.9, True, 1.0, 0),
        Detection(0, (14.0, 12.0, 60.0, 52.0), "a kite", -0.2, 0, 0.7, False),
        Detection(1, (100.0, 10.0, 119.0, 29.0), "some sky", -0.9, -1, 0.0, False),
    ),
    (320.0, 200.0),
)


def item(
    scene: Scene, detection: int, thing: int = -1, folder: Path | None = None, cut: object = CUT
) -> InspectedItem:
    values = {"detection": float(detection), "object": float(thing)}
    folders = {"images": [folder]} if folder else {}
    return InspectedItem(f"{scene.image} · {detection + 1}", "kiter", scene, values, folders, cut)


@pytest.fixture
def view(qtbot: QtBot) -> Iterator[SceneInspector]:
    made = INSPECTORS.make("densecap")
    assert isinstance(made, SceneInspector)
    qtbot.addWidget(made)
    made.resize(1000, 600)
    made.show()
    qtbot.waitExposed(made)
    yield made
    assert view_jobs().shut_down()
    QApplication.processEvents()


def texts(view: SceneInspector, name: str) -> list[str]:
    model = view.detections.table_model
    column = next(column for column in model.columns if column.name == name)
    return [column.text(int(row)) for row in model.rows]


def aligned(view: SceneInspector) -> bool:
    return view.alignment.alignment is not None and not view.alignment.isHidden()


@pytest.mark.parametrize(
    ("changes", "kind"),
    [
        ({}, "true"),
        ({"overlap": 0.5, "meteor": 0.11}, "true"),
        ({"overlap": 0.49}, "mislocated"),
        ({"meteor": 0.1}, "misdescribed"),
        ({"overlap": 0.2, "meteor": 0.0}, "both"),
        ({"claims": False}, "duplicate"),
        ({"overlap": 0.09}, "background"),
        ({"score": -3.0}, "left out"),
    ],
)
def test_every_detection_has_one_verdict(changes, kind):
    detection = replace(SCENE.detections[0], **changes)
    expected = {"true": TRUE, "left out": LEFT_OUT}.get(kind)
    code = detection_verdict(detection, Thresholds(0.5, 0.1, -2.0))
    assert code == (list(KINDS).index(kind) if expected is None else expected)


def test_an_iou_equal_to_the_threshold_is_too_little_for_a_program_that_must_exceed_it():
    detection = replace(SCENE.detections[0], overlap=0.5, meteor=0.2)
    codes = [
        detection_verdict(detection, Thresholds(0.5, 0.1, claims_above=above))
        for above in (False, True)
    ]
    assert codes == [TRUE, list(KINDS).index("mislocated")]


def test_verdicts_are_those_of_the_table():
    from jurydesk.app.inspectors.densecap.densecap_panel_model import DenseItems

    items = DenseItems(evaluations()["region-net"])
    codes = items.verdicts(CUT)
    for row in items.detection_rows.tolist():
        scene = items.evaluation.items.show(row)
        number = int(items.columns["detection"][row])
        detection = next(one for one in scene.detections if one.number == number)
        assert detection_verdict(detection, CUT) == codes[row]


def test_detections_are_listed_with_caption_reference_and_verdict(view: SceneInspector) -> None:
    view.show_item(item(SCENE, 2, 0))
    assert texts(view, "caption") == ["a red kite", "a kite", "some sky"]
    assert texts(view, "reference") == ["a red kite", "a red kite", ""]
    assert texts(view, "verdict") == ["true", "duplicate", "background"]
    found = [view.objects.table_model.columns[2].text(row) for row in range(2)]
    assert found == ["found", "missed"]
    assert view.detections.current_row == 0


def test_verdicts_follow_the_thresholds_of_the_panel(view: SceneInspector) -> None:
    view.show_item(item(SCENE, 2, 0))
    view.show_item(item(SCENE, 2, 0, cut=Thresholds(0.95, 0.1)))
    assert texts(view, "verdict")[0] == "mislocated"


def test_the_caption_is_aligned_with_its_best_reference(qtbot: QtBot, view: SceneInspector) -> None:
    view.show_item(item(SCENE, 2, 0))
    qtbot.waitUntil(lambda: aligned(view))
    assert view.alignment.alignment.reference == ("a", "red", "kite")
    assert view.alignment.alignment.score == 1.0


def test_unknown_meteor_is_computed_when_a_detection_is_selected(
    qtbot: QtBot, view: SceneInspector
) -> None:
    view.show_item(item(SCENE, 0, 0))
    assert texts(view, "meteor")[1] == "–"
    qtbot.waitUntil(lambda: texts(view, "meteor")[1] != "–")
    assert view.detections.current_row == 1
    assert texts(view, "meteor")[2] == "–"


def test_missing_language_data_is_reported(
    qtbot: QtBot, view: SceneInspector, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*arguments: object) -> None:
        raise LanguageDataMissing("METEOR's language data are not installed.")

    monkeypatch.setattr("jurydesk.core.tasks.densecap.densecap_evidence.score_many", refuse)
    view.show_item(item(SCENE, 0, 0))
    qtbot.waitUntil(lambda: "not installed" in view.caption.note.text())


def test_a_detection_without_an_object_is_reported(view: SceneInspector) -> None:
    view.show_item(item(SCENE, 1))
    assert view.caption.note.text() == (
        "The detection overlaps no object, so its caption has no reference."
    )


def test_a_missed_object_is_shown_with_its_captions(view: SceneInspector) -> None:
    view.show_item(item(SCENE, -1, 1))
    assert view.objects.current_row == 1
    assert view.boxes.current_row == 4
    assert view.caption.note.text() == "Ground truth: a dog."


def test_keys_step_through_the_detections_of_the_image(qtbot: QtBot, view: SceneInspector) -> None:
    view.show_item(item(SCENE, 2, 0))
    with qtbot.waitSignal(view.item_requested) as wanted:
        qtbot.keyClick(view.detections, Key.Key_N)
    assert wanted.args == ["kites · 1"]
    assert view.boxes.current_row == 1
    with qtbot.waitSignal(view.item_requested) as wanted:
        qtbot.keyClick(view.detections, Key.Key_P)
    assert wanted.args == ["kites · 3"]


def test_keys_request_other_images(qtbot: QtBot, view: SceneInspector) -> None:
    view.show_item(item(SCENE, 2, 0))
    for key, step in ((Key.Key_I, 1), (Key.Key_U, -1)):
        with qtbot.waitSignal(view.evidence_stepped) as stepped:
            qtbot.keyClick(view.detections, key)
        assert stepped.args == [step]


def test_b_shows_only_true_boxes_then_only_the_selected_one(
    qtbot: QtBot, view: SceneInspector
) -> None:
    view.show_item(item(SCENE, 2, 0))
    drawn = []
    for _ in range(3):
        drawn.append({box.row for box in view.boxes.boxes})
        qtbot.keyClick(view.detections, Key.Key_B)
    assert drawn == [{0, 1, 2, 3, 4}, {0, 3, 4}, {0, 3}]


def test_a_hovered_box_marks_its_record(qtbot: QtBot, view: SceneInspector) -> None:
    view.show_item(item(SCENE, 1))
    view.detections.set_hovered_row(None)
    far = view.boxes.mapFromScene(220, 120)
    qtbot.mouseMove(view.boxes.viewport(), QPoint(1, 1))
    qtbot.mouseMove(view.boxes.viewport(), far)
    assert view.objects.hovered_place == 1
    small = view.boxes.mapFromScene(110, 20)
    qtbot.mouseMove(view.boxes.viewport(), small)
    assert view.detections.hovered_place == 2


def test_a_hovered_record_marks_its_box(qtbot: QtBot, view: SceneInspector) -> None:
    view.show_item(item(SCENE, 2, 0))
    centre = view.detections.visualRect(view.detections.table_model.index(1, 0)).center()
    qtbot.mouseMove(view.detections.viewport(), centre)
    assert view.boxes.hovered_row == 1


def test_a_clicked_box_chooses_its_record(qtbot: QtBot, view: SceneInspector) -> None:
    view.show_item(item(SCENE, 2, 0))
    place = view.boxes.mapFromScene(110, 20)
    qtbot.mouseClick(view.boxes.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert view.detections.current_row == 2
    place = view.boxes.mapFromScene(220, 120)
    qtbot.mouseClick(view.boxes.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert view.objects.current_row == 1


def test_the_picture_comes_from_the_folder_by_its_id(qtbot: QtBot, view: SceneInspector) -> None:
    scene = evaluations()["region-net"].items.show(0)
    view.show_item(item(scene, scene.detections[0].number, 0, FOLDER / "images"))
    assert view.picture.note.text() == f"{scene.image}.png is being read …"
    qtbot.waitUntil(lambda: view.picture.loaded.path.stem == scene.image)
    assert view.boxes.sceneRect().width() == 640
    assert view.picture.note.text() == ""


def test_a_picture_of_another_size_is_scaled_to_the_boxes(
    qtbot: QtBot, view: SceneInspector, tmp_path: Path
) -> None:
    image = QImage(640, 400, QImage.Format.Format_RGB32)
    image.fill(Qt.GlobalColor.white)
    assert image.save(str(tmp_path / "kites.jpg"))
    view.show_item(item(SCENE, 2, 0, tmp_path))
    qtbot.waitUntil(lambda: view.picture.loaded.path.stem == "kites")
    assert view.boxes.sceneRect().width() == 320


def test_without_a_picture_boxes_are_on_an_empty_canvas(
    view: SceneInspector, tmp_path: Path
) -> None:
    view.show_item(item(replace(SCENE, size=None), 2, 0, tmp_path))
    assert view.picture.note.text() == "The folder has no picture of this image."
    assert (view.boxes.sceneRect().width(), view.boxes.sceneRect().height()) == (239, 139)


def test_zoom_is_kept_on_the_same_image(qtbot: QtBot, view: SceneInspector) -> None:
    view.show_item(item(SCENE, 2, 0))
    qtbot.keyClick(view.detections, Key.Key_Plus)
    zoomed = view.boxes.transform().m11()
    qtbot.keyClick(view.detections, Key.Key_N)
    assert view.boxes.transform().m11() == zoomed


def test_the_selection_is_copied(view: SceneInspector) -> None:
    view.show_item(item(SCENE, 2, 0))
    assert view.selection_text(True).splitlines()[0].startswith("Caption\t")
    assert view.selection_text(False).startswith("a red kite\t")


def test_a_large_view_shows_every_part(view: SceneInspector) -> None:
    view.show_item(item(SCENE, 2, 0))
    assert view.parts.parts.isHidden()
    for part in (view.boxes, view.detections, view.objects, view.caption):
        assert part.isVisible()


def test_a_small_view_shows_one_part_at_a_time_beside_the_picture(
    qtbot: QtBot, view: SceneInspector
) -> None:
    view.resize(460, 320)
    view.show_item(item(SCENE, 2, 0))
    qtbot.waitUntil(lambda: view.parts.is_small and aligned(view))
    parts = (view.detections, view.objects, view.caption)
    for chosen, shown in enumerate(parts):
        view.parts.parts.choose(chosen)
        assert [part.isVisible() for part in parts] == [part is shown for part in parts]
        assert view.boxes.isVisible()
    view.resize(1000, 600)
    assert all(part.isVisible() for part in parts)


def test_a_table_that_is_shown_alone_has_the_height_of_both(view: SceneInspector) -> None:
    view.resize(460, 620)
    view.show_item(item(SCENE, 2, 0))
    for number, table in enumerate((view.detections, view.objects)):
        view.parts.parts.choose(number)
        QApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest)
        assert table.height() >= view.tables.height() - px(40)


def test_a_small_view_shows_the_verdict_without_horizontal_scrolling(
    view: SceneInspector,
) -> None:
    view.resize(460, 320)
    view.show_item(item(SCENE, 2, 0))
    table = view.detections
    columns = table.table_model.columns
    shown = [one.name for place, one in enumerate(columns) if not table.isColumnHidden(place)]
    assert {"caption", "verdict"} <= set(shown)
    assert table.horizontalScrollBar().maximum() == 0


def test_the_picture_and_the_rows_have_all_of_the_height_of_low_windows(
    qtbot: QtBot, view: SceneInspector
) -> None:
    view.show_item(item(SCENE, 2, 0))
    heads = view.detections.horizontalHeader()
    view.resize(500, 150)
    qtbot.waitUntil(view.picture.which.isVisible)
    assert heads.isVisible()
    view.resize(500, view.minimumSizeHint().height())
    qtbot.waitUntil(lambda: view.boxes.height() == view.height())
    assert not view.picture.which.isVisible()
    assert not heads.isVisible()
    assert view.boxes.height() >= view.boxes.minimumHeight()
