"""Tests of CLIPScore and BERTScore of a submission, against recorded results of their programs."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest

from jurydesk.core.execution.run import Run
from jurydesk.core.metrics.captioning.clip_score import clip_score, reference_clip_score
from jurydesk.core.model.evaluation import ResourceMissing
from jurydesk.core.neural.weights.random_weights import make_open_clip
from jurydesk.core.tasks.captions.caption_networks import (
    network_resources,
    network_scores,
    network_settings,
    used_photos,
)
from jurydesk.core.tasks.captions.captions import CaptionReferences, Image
from jurydesk.core.tasks.captions.captions_options import CaptionOptions
from jurydesk.core.tasks.captions.captions_task import TASK
from support.oracles import oracle
from support.text_models import make_bert
from support.tiny_models import picture, torch_or_skip

torch_or_skip()
RECORDED = json.loads(oracle("captions/clipscore.json").read_text(encoding="utf-8"))
CAPTIONS = RECORDED["captions"]
IMAGES = tuple(
    Image(number, f"{number}.png", tuple(texts))
    for number, texts in enumerate(RECORDED["references"])
)


@pytest.fixture(scope="module")
def clip(tmp_path_factory):
    folder = tmp_path_factory.mktemp("clip")
    make_open_clip(folder)
    return folder


@pytest.fixture
def photos(tmp_path):
    for number in range(len(IMAGES)):
        picture(tmp_path / "photos" / f"{number}.png", number, size=(60 + 7 * number, 45))
    return tmp_path / "photos"


def references(photos):
    return CaptionReferences(IMAGES, "captions.json", photos=photos)


def scored(photos, *weights, **settings):
    options = CaptionOptions(weights=weights, **settings)
    with Run(device="cpu", jobs=1) as run:
        return network_scores(references(photos), IMAGES, CAPTIONS, options, "r.json", run)


def test_clip_scores_equal_those_of_the_original(clip, photos):
    found = scored(photos, f"clip={clip}")
    for name in ("clip_score", "ref_clip_score"):
        assert found.columns[name] == pytest.approx(np.array(RECORDED[name]), abs=1e-6)
    assert [one.found for one in found.defects] == ["1 text longer than the model reads."]


def test_an_image_without_photo_is_left_out_and_named(clip, photos):
    (photos / "2.png").unlink()
    (photos / "1.png").write_bytes(b"no picture")
    found = scored(photos, f"clip={clip}")
    assert np.isnan(found.columns["clip_score"]).tolist() == [False, True, True, False]
    assert np.isnan(found.columns["ref_clip_score"]).tolist() == [False, True, True, False]
    assert found.defects[-1].found == "2 images without a readable photo: 1.png, 2.png."


def test_a_named_model_needs_the_photos_and_a_missing_one_is_an_error(clip, tmp_path):
    with pytest.raises(ResourceMissing, match="it needs the photos"):
        scored(None, f"clip={clip}")
    for role in ("clip", "bertscore"):
        with pytest.raises(ResourceMissing, match="no such file or folder"):
            scored(tmp_path, f"{role}={tmp_path / 'gone'}")


def test_without_models_nothing_is_scored_and_the_stamp_says_nothing(photos):
    assert scored(photos).columns == {}
    options = CaptionOptions()
    assert network_settings(references(photos), options) == {}
    assert network_resources(references(photos), options) == {}
    assert used_photos(references(photos), options) == {}


def test_random_models_are_named_and_their_scores_are_meaningless(photos):
    found = scored(photos, "clip=random-numbers")
    assert found.defects[0].found == "Models with random weights: clip."
    options = CaptionOptions(weights=("clip=random-numbers",))
    assert set(options.meaningless_metrics()) == set(found.columns)


def test_a_submission_is_scored_by_both_models_beside_the_usual_metrics(clip, photos, tmp_path):
    bert = make_bert(tmp_path / "bert")
    weights = (f"clip={clip}", f"bertscore={bert}")
    options = CaptionOptions(weights=weights, bertscore_layer=2, bertscore_weights="idf")
    truth = {
        "images": [{"id": image.id, "file_name": image.file_name} for image in IMAGES],
        "annotations": [
            {"id": f"{image.id} {text}", "image_id": image.id, "caption": text}
            for image in IMAGES
            for text in image.references
        ],
    }
    results = [{"image_id": number, "caption": text} for number, text in enumerate(CAPTIONS)]
    files = {}
    for name, value in (("truth", truth), ("results", results)):
        files[name] = tmp_path / f"{name}.json"
        files[name].write_text(json.dumps(value), encoding="utf-8")
    inputs = {"references": [files["truth"]], "photos": [photos]}
    with Run(device="cpu", jobs=1) as run:
        known = TASK.readers.read_references(inputs, options, run).data
        system = TASK.readers.read_submission(files["results"], known, options, run).data
        evaluation = TASK.scoring.evaluate(known, system, options, run)
    values = {score.metric: score.value for score in evaluation.scores}
    assert values["clip_score"] == pytest.approx(np.mean(RECORDED["clip_score"]), abs=1e-6)
    assert 0 < values["bertscore_f1"] < 1
    assert math.isfinite(values["cider"])
    assert [one.found for one in evaluation.defects][-1] == "BERTScore is by layer 2 of bert."
    settings = TASK.scoring.settings(known, options)
    assert {"clip", "bertscore", "layer", "pieces"} <= set(settings)
    assert "bertscore/model.safetensors" in TASK.scoring.resources(known, options)
    used = TASK.scoring.pictures(known, system, options)
    assert sorted(used) == [f"photos/{number}.png" for number in range(4)]


def test_the_formulas_give_the_scores_of_the_original_from_its_cosines():
    cosines = np.array(RECORDED["clip_score"]) / 2.5
    assert clip_score(cosines) == pytest.approx(np.array(RECORDED["clip_score"]))
    assert reference_clip_score(clip_score(cosines), [np.ones(1)] * 4)[1] == 0
