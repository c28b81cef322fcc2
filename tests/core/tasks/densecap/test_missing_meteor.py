"""What a finished evaluation is studied with."""

import json
from dataclasses import replace

import numpy as np
import pytest

from jurydesk.core.execution.run import Run
from jurydesk.core.metrics.detection.error_analysis import records_needing_meteor
from jurydesk.core.metrics.meteor import LanguageDataMissing, score
from jurydesk.core.model.evaluation import Evaluation, ResourceMissing
from jurydesk.core.tasks.densecap.densecap_evidence import Scene
from jurydesk.core.tasks.densecap.densecap_items import UNCLAIMED, to_records
from jurydesk.core.tasks.densecap.densecap_task import TASK
from jurydesk.core.tasks.densecap.missing_meteor import score_missing_meteor
from support.oracles import oracle


@pytest.fixture(scope="module")
def medium() -> Evaluation:
    path, options, run = oracle("densecap/shared_07_medium.json"), TASK.scoring.options(), Run()
    truth = TASK.readers.read_references({"ground-truth": [path]}, options, run)
    found = TASK.readers.read_submission(path, truth.data, options, run)
    return TASK.scoring.evaluate(truth.data, found.data, options, run)


@pytest.fixture(scope="module")
def studied(medium):
    told = []
    meteor = score_missing_meteor(medium.items, Run(), told.append)
    return meteor, told[0]


def test_all_meteor_that_kinds_of_error_need_is_known_afterwards(medium, studied):
    meteor, _ = studied
    records = to_records(medium.items.columns)
    found = medium.items.columns["detection"] != UNCLAIMED
    assert np.isnan(records.meteor[records_needing_meteor(records)]).any()
    assert not np.isnan(meteor[found][records_needing_meteor(records)]).any()


def test_what_was_known_stays(medium, studied):
    before = medium.items.columns["meteor"]
    known = ~np.isnan(before)
    assert (studied[0][known] == before[known]).all()


def test_every_item_says_what_its_scene_says(medium, studied):
    meteor, captions = studied
    columns = medium.items.columns
    for row in range(0, len(medium.items), 97):
        scene = medium.items.show(row)
        number, thing = int(columns["detection"][row]), int(columns["object"][row])
        references = scene.objects[thing].references if thing >= 0 else [""]
        assert captions.meant[row] in references
        if number == UNCLAIMED:
            assert captions.said[row] == ""
            continue
        detection = next(one for one in scene.detections if one.number == number)
        assert captions.said[row] == detection.caption
        if not np.isnan(meteor[row]) and thing >= 0:
            assert meteor[row] == score(detection.caption, references, "coco").score


def test_alignment_of_a_detection_has_its_score_and_best_reference(medium):
    scenes = [medium.items.show(row) for row in range(0, 2000, 100)]
    known = [(scene, one) for scene in scenes for one in scene.detections if one.meteor is not None]
    for scene, detection in known:
        if detection.object >= 0:
            assert scene.aligned(detection).score == detection.meteor


def test_detection_without_an_object_has_nothing_to_be_aligned_with(medium):
    scene = Scene("a", (), (), None)
    alone = replace(medium.items.show(0).detections[0], object=-1)
    with pytest.raises(ValueError, match="without an object"):
        scene.aligned(alone)


def test_missing_language_data_are_told_after_the_captions(medium, monkeypatch):
    def refuse(*arguments):
        raise LanguageDataMissing("METEOR's language data are not installed.")

    monkeypatch.setattr("jurydesk.core.tasks.densecap.missing_meteor.score_many", refuse)
    told = []
    with pytest.raises(ResourceMissing, match="language data"):
        score_missing_meteor(medium.items, Run(), told.append)
    assert len(told[0].said) == len(medium.items)


def test_scene_as_json_is_compact(medium):
    scene = medium.items.show(0)
    text = json.dumps(scene.to_json())
    assert Scene.from_json(json.loads(text)) == scene
    assert len(text) < 220 * (len(scene.objects) + len(scene.detections))
