"""Tests of the dense-captioning evaluator against recorded results of DenseCap's Lua evaluator."""

import json
from dataclasses import replace

import numpy as np
import pytest

from jurydesk.core.desk.evaluation_rows import pack_evaluation, unpack_rows
from jurydesk.core.execution.run import Run
from jurydesk.core.metrics.detection.average_precision import average_precisions
from jurydesk.core.metrics.detection.error_analysis import KINDS, mean_ap_lost
from jurydesk.core.metrics.detection.threshold_what_if import claims_of
from jurydesk.core.model.evaluation import Evaluation, Heatmap
from jurydesk.core.tasks.densecap.densecap_evaluator import score_figures
from jurydesk.core.tasks.densecap.densecap_evidence import Scene
from jurydesk.core.tasks.densecap.densecap_explanation import explain_item
from jurydesk.core.tasks.densecap.densecap_items import UNCLAIMED, to_records
from jurydesk.core.tasks.densecap.densecap_task import TASK, rated_description
from jurydesk.core.tasks.densecap.readers import ground_truth_reader
from support.kits.detection_errors import detection_errors
from support.oracles import oracle

CASES = sorted(path.stem for path in oracle("densecap").glob("*.json"))
PROFILES = {"published": "official", "corrected": "corrected"}


def evaluate(path, profile="published"):
    options, run = TASK.scoring.options(profile=profile), Run()
    truth = TASK.readers.read_references({"ground-truth": [path]}, options, run)
    found = TASK.readers.read_submission(path, truth.data, options, run)
    return TASK.scoring.evaluate(truth.data, found.data, options, run)


def values(evaluation):
    return {score.metric: score.value for score in evaluation.scores}


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("name", CASES)
def test_all_numbers_equal_the_original(name, profile):
    path = oracle(f"densecap/{name}.json")
    expected = json.loads(path.read_text(encoding="utf-8"))["expected"][PROFILES[profile]]
    found = values(evaluate(path, profile))
    cells = expected["ap"] | expected["det"]
    assert {cell: found[cell] for cell in cells} == cells
    assert found["map"] == pytest.approx(expected["map"], abs=1e-12)
    assert found["detmap"] == pytest.approx(expected["detmap"], abs=1e-12)


@pytest.fixture(scope="module")
def medium():
    return evaluate(oracle("densecap/shared_07_medium.json"))


def test_scores_follow_from_the_items(medium):
    assert average_precisions(to_records(medium.items.columns)).by_name() == values(medium)


def test_items_are_all_detections_and_all_missed_objects(medium):
    missed = medium.items.columns["detection"] == UNCLAIMED
    assert (~missed).sum() == 2878
    records = to_records(medium.items.columns)
    assert records.objects == 1411


def test_the_scene_of_an_item_is_read_back_from_its_rows(medium):
    scene = medium.items.show(5)
    evaluation = Evaluation("densecap", "", "published", (), medium.items)
    assert unpack_rows(pack_evaluation(evaluation), Scene.from_row).items.show(5) == scene
    assert medium.items.ids[5].startswith(scene.image)


def test_every_detection_has_exactly_one_error_type(medium):
    records = to_records(medium.items.columns)
    cell = detection_errors(records, 0.5)
    masks = np.stack([cell.true, *cell.false.values()])
    assert (masks.sum(axis=0) == 1).all()


def test_fixing_an_error_type_never_lowers_map(medium):
    records = to_records(medium.items.columns)
    described = np.where(np.isnan(records.meteor), 0.0, records.meteor)
    records.meteor[:] = described
    found = mean_ap_lost(claims_of(records, "published"))
    assert set(found) == set(KINDS)
    assert min(found.values()) >= 0


def submission_defects(path_of, data, profile="published"):
    path = path_of(data)
    options, run = TASK.scoring.options(profile=profile), Run()
    truth = TASK.readers.read_references({"ground-truth": [path]}, options, run)
    found = TASK.readers.read_submission(path, truth.data, options, run)
    return [defect.found for defect in found.defects]


@pytest.fixture
def path_of(tmp_path):
    def write(data):
        path = tmp_path / "scenes.json"
        path.write_text(json.dumps(data), encoding="utf-8")
        return path

    return write


def image(truth, found, name="a", **more):
    detections = {
        "boxes": found,
        "logprobs": [float(-i) for i in range(len(found))],
        "captions": ["a kite"] * len(found),
    }
    captions = ["a kite"] * len(truth)
    fields = {"image_id": name, "gt_boxes": truth, "gt_captions": captions}
    return fields | {"detections": detections} | more


BOXES = [[100.0, 100.0, 40.0, 30.0], [300.0, 200.0, 50.0, 60.0]]


def test_the_warning_about_a_wrong_box_format_names_the_right_one(path_of):
    by_corner = [[x - w / 2, y - h / 2, x + w / 2, y + h / 2] for x, y, w, h in BOXES]
    options, run = TASK.scoring.options(), Run()
    path = path_of({"images": [image(BOXES, by_corner)]})
    truth = TASK.readers.read_references({"ground-truth": [path]}, options, run)
    found = TASK.readers.read_submission(path, truth.data, options, run)
    defect = next(one for one in found.defects if "median IoU" in one.found)
    assert defect.expected == "The boxes were read as xcycwh."
    assert defect.hint == "As xyxy it would be 1.00: set the box format to xyxy."


def test_another_scale_is_a_warning(path_of):
    doubled = [[2 * side for side in box] for box in BOXES]
    found = submission_defects(path_of, {"images": [image(BOXES, doubled)]})
    assert "The coordinates of the detections are 2.00 times those of the ground truth." in found


def test_boxes_outside_their_image_are_a_warning(path_of):
    data = {"images": [image(BOXES, BOXES, width=200, height=150)]}
    assert "Boxes extend beyond 1 image: a." in submission_defects(path_of, data)


def test_an_image_with_more_boxes_than_can_be_merged_is_an_error(path_of, monkeypatch):
    monkeypatch.setattr(ground_truth_reader, "MAX_BOXES", 2)
    path = path_of({"images": [image(BOXES, []), image([*BOXES, FAR], [], "b")]})
    reading = TASK.readers.read_references({"ground-truth": [path]}, TASK.scoring.options(), Run())
    assert reading.data is None
    (defect,) = reading.defects
    assert (defect.severity, defect.found) == ("error", "Image b has 3 boxes.")


def test_ground_truth_outside_its_image_is_a_warning(path_of):
    path = path_of({"images": [image(BOXES, BOXES, width=200, height=150), image(BOXES, [], "b")]})
    reading = TASK.readers.read_references({"ground-truth": [path]}, TASK.scoring.options(), Run())
    assert [defect.found for defect in reading.defects] == ["Boxes extend beyond 1 image: a."]


def test_files_without_a_common_image_are_an_error(tmp_path):
    options, run = TASK.scoring.options(), Run()
    paths = []
    for name in "ab":
        paths.append(tmp_path / f"{name}.json")
        paths[-1].write_text(json.dumps({"images": [image(BOXES, BOXES, name)]}), encoding="utf-8")
    truth = TASK.readers.read_references({"ground-truth": [paths[0]]}, options, run)
    found = TASK.readers.read_submission(paths[1], truth.data, options, run)
    assert found.data is None
    assert found.defects[0].found == "No image id is in the ground truth: b; ground truth: a."


def test_a_system_without_any_detection_scores_zero(tmp_path):
    truth_path, path = tmp_path / "truth.json", tmp_path / "none.json"
    truth_path.write_text(json.dumps({"images": [image(BOXES, BOXES)]}), encoding="utf-8")
    path.write_text("[]", encoding="utf-8")
    options, run = TASK.scoring.options(), Run()
    truth = TASK.readers.read_references({"ground-truth": [truth_path]}, options, run).data
    reading = TASK.readers.read_submission(path, truth, options, run)
    assert [defect.severity for defect in reading.defects] == ["warning"]
    evaluation = TASK.scoring.evaluate(truth, reading.data, options, run)
    assert {score.value for score in evaluation.scores} == {0.0}


def evaluation_defects(path_of, data, profile):
    path, options, run = path_of(data), TASK.scoring.options(profile=profile), Run()
    truth = TASK.readers.read_references({"ground-truth": [path]}, options, run).data
    found = TASK.readers.read_submission(path, truth, options, run).data
    defects = TASK.scoring.evaluate(truth, found, options, run).defects
    assert {defect.severity for defect in defects} <= {"warning"}
    return [defect.found for defect in defects]


FAR = [900.0, 900.0, 5.0, 5.0]


@pytest.mark.parametrize("profile", PROFILES)
def test_claims_without_overlap_and_ties_are_warnings_in_both_profiles(path_of, profile):
    scenes = [image(BOXES, [FAR, FAR, BOXES[0]], "a"), image(BOXES, BOXES, "b")]
    assert evaluation_defects(path_of, {"images": scenes}, profile) == [
        "Claims without overlap: 1 detection in 1 image (a).",
        "Tied scores: 4 detections in 2 images (a, b).",
    ]


@pytest.mark.parametrize("profile", TASK.scoring.profiles)
def test_no_warning_if_the_last_object_is_claimed_before(path_of, profile):
    data = {"images": [image(BOXES, [BOXES[1], FAR])]}
    assert evaluation_defects(path_of, data, profile) == []


def test_images_at_which_densecaps_program_stops_are_warnings(path_of):
    scenes = [image(BOXES, BOXES, "a"), image([], BOXES[:1], "b"), image(BOXES, [], "c")]
    scenes[1]["detections"]["logprobs"] = [-7.5]
    data = {"images": [*scenes, image([], [], "d")]}
    assert evaluation_defects(path_of, data, "published") == [
        "No ground truth: 1 image (b).",
        "No detections: 1 image (c).",
    ]


def test_the_mean_of_the_heat_map_is_map_in_percent(medium):
    (heat_map,) = (one for one in medium.figures if isinstance(one, Heatmap))
    assert heat_map.values.mean() / 100 == pytest.approx(values(medium)["map"], abs=1e-12)
    assert heat_map.lead.mean() / 100 == pytest.approx(values(medium)["detmap"], abs=1e-12)


def test_the_heat_map_is_shown_with_the_numbers_of_its_scores(medium):
    (stored,), (shown,) = medium.figures, score_figures(medium)
    found = values(medium)
    assert shown.values.tolist() == [
        [found[f"ov{iou}_score{meteor:g}"] for meteor in shown.x_axis.ticks]
        for iou in ("0.3", "0.4", "0.5", "0.6", "0.7")
    ]
    assert shown.lead.tolist() == [found[f"ov0.{tenth}"] for tenth in range(3, 8)]
    assert (shown.decimals, stored.decimals) == (3, 1)
    assert stored.values.max() > 1


def test_a_heat_map_without_its_scores_is_shown_on_their_scale(medium):
    (shown,) = score_figures(replace(medium, scores=()))
    assert shown.values.mean() == pytest.approx(values(medium)["map"], abs=1e-12)
    other = replace(medium.figures[0], name="counts")
    assert score_figures(replace(medium, figures=(other,))) == (other,)


def test_raters_see_the_captions_from_the_highest_score_down(medium):
    scene = medium.items.show(5)
    by_score = {-one.score: one.caption for one in scene.detections}
    expected = list(dict.fromkeys(by_score[score] for score in sorted(by_score)))
    shown = rated_description(medium.items, 5).entry.text.split("\n")
    assert shown == expected[: len(shown)]


def test_an_explanation_ticks_the_detections_that_claim_an_object(medium):
    scene = medium.items.show(5)
    top = sorted(scene.detections, key=lambda one: -one.score)
    _, detections = explain_item(scene)
    ticks = [line[0] == "✓" for line in detections.text.split("\n")]
    assert ticks == [one.claims and one.object >= 0 for one in top][: len(ticks)]
    assert len(set(ticks)) == 2


def test_the_recall_of_an_image_is_its_share_of_claimed_objects(medium):
    """A claim counts from an IoU of 0.5 on; each claim is of one object."""
    scenes = {scene.image: scene for scene in map(medium.items.show, range(len(medium.items)))}
    units = TASK.scoring.units(medium.items, "published")
    for name, recall in zip(units.ids, units.columns["recall"], strict=True):
        scene = scenes[name]
        claimed = sum(
            one.claims and one.object >= 0 and one.overlap >= 0.5 for one in scene.detections
        )
        assert recall == pytest.approx(claimed / len(scene.objects))
