"""Ground truth prepared as the programs prepare Visual Genome, against their recorded results."""

import json

import numpy as np
import pytest

from jurydesk.core.tasks.densecap.preparation import (
    PREPARATIONS,
    controlcap_boxes,
    densecap_pytorch_boxes,
    jivc_boxes,
    lua_boxes,
    prepared_captions,
    prepared_words,
)
from support.oracles import oracle

RECORDED = json.loads(oracle("densecap_today/preparation.json").read_text(encoding="utf-8"))
BOXES = np.array([[one[k] for k in ("x", "y", "width", "height")] for one in RECORDED["boxes"]])
SIDES = np.array([[one["W"], one["H"]] for one in RECORDED["boxes"]])


@pytest.mark.parametrize(
    ("prepare", "member"),
    [
        (lua_boxes, "lua_720_xcycwh"),
        (densecap_pytorch_boxes, "densecap_pytorch_xyxy"),
        (controlcap_boxes, "controlcap_xyxy"),
    ],
)
def test_boxes_equal_those_of_the_program(prepare, member):
    found = prepare(BOXES.astype(float), SIDES.astype(float))
    assert found.tolist() == [one[member] for one in RECORDED["boxes"]]


def test_jivc_drops_the_boxes_that_its_program_drops():
    found = jivc_boxes(BOXES.astype(float), SIDES.astype(float))
    kept = (~np.isnan(found).any(axis=1)).tolist()
    assert kept == [one["jivc_kept"] for one in RECORDED["boxes"]]


@pytest.mark.parametrize("recorded", RECORDED["texts"], ids=lambda one: one["phrase"][:12])
def test_words_and_kept_captions_equal_those_of_the_programs(recorded):
    phrase = recorded["phrase"]
    assert prepared_words(phrase) == recorded["densecap_pytorch"] == recorded["controlcap"]
    kept = {
        name: len(prepared_captions([phrase], rule)[0]) == 1 for name, rule in PREPARATIONS.items()
    }
    assert kept.pop("jivc") == recorded["kept_10_ascii"]
    assert set(kept.values()) == {recorded["kept_15"]}


def test_words_seen_fewer_than_fifteen_times_are_unknown_but_in_controlcap():
    phrases = ["a kite"] * 14 + ["a dog"]
    expected = {"lua-720": "a <UNK>", "densecap-pytorch": "a <unk>", "controlcap": "a dog"}
    for name, caption in expected.items():
        assert prepared_captions(phrases, PREPARATIONS[name])[1][-1] == caption
