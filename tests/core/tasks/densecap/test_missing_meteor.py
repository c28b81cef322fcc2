"""Tests of METEOR for records that the evaluation skipped."""

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
def completed(medium):
    captions = []
    meteor = score_missing_meteor(medium.items, Run(), captions.append)
    return meteor, captions[0]


def test_all_meteor_that_error_types_need_is_computed(medium, completed):
    meteor, _ = completed
    records = to_records(medium.items.columns)
    found = medium.items.columns["detection"] != UNCLAIMED
    assert np.isnan(records.meteor[records_needing_meteor(records)]).any()
    assert not np.isnan(meteor[found][records_needing_meteor(records)]).any()


def test_known_meteor_is_unchanged(medium, completed):
    before = medium.items.columns["meteor"]
    known = ~np.isnan(before)
    assert (completed[0][known] == before[known]).all()


def test_captions_and_references_agree_with_the_scene(medium, completed):
    meteor, captions = completed
    columns = medium.items.columns
    for row in range(0, len(medium.items), 97):
        scene = medium.items.show(row)
        number, thing = int(columns["detection"][row]), int(columns["object"][row])
        references = scene.objects[thing].references if thing >= 0 else [""]
        assert captions.references[row] in references
        if number == UNCLAIMED:
            assert captions.captions[row] == ""
            continue
        detection = next(one for one in scene.detections if one.number == number)
        assert captions.captions[row] == detection.caption
        if not np.isnan(meteor[row]) and thing >= 0:
            assert meteor[row] == score(detection.caption, references, "coco").score


def test_the_alignment_of_a_detection_has_its_score_and_best_reference(medium):
    scenes = [medium.items.show(row) for row in range(0, 2000, 100)]
    known = [(scene, one) for scene in scenes for one in scene.detections if one.meteor is not None]
    for scene, detection in known:
        if detection.object >= 0:
            assert scene.align(detection).score == detection.meteor


def test_a_detection_without_an_object_cannot_be_aligned(medium):
    scene = Scene("a", (), (), None)
    alone = replace(medium.items.show(0).detections[0], object=-1)
    with pytest.raises(ValueError, match="without an object"):
        scene.align(alone)


def test_missing_language_data_are_reported_after_the_captions(medium, monkeypatch):
    def refuse(*arguments):
        raise LanguageDataMissing("METEOR's language data are not installed.")

    monkeypatch.setattr("jurydesk.core.tasks.densecap.missing_meteor.score_many", refuse)
    captions = []
    with pytest.raises(ResourceMissing, match="language data"):
        score_missing_meteor(medium.items, Run(), captions.append)
    assert len(captions[0].captions) == len(medium.items)
