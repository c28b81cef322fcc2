from __future__ import annotations

import json
import math

import numpy as np
import pytest

from jurydesk.core.export.results_json import (
    competition_json,
    encode_json,
    system_json,
    unscored_system_json,
)
from jurydesk.core.model.defects import Place, error
from jurydesk.core.model.evaluation import Evaluation, Interval, ItemTable, Score

SCORED = Evaluation(
    "toy",
    "one",
    "published",
    (Score("closeness", 1 / 3, 3, interval=Interval(0.25, 0.5)), Score("rmse", math.nan, 0)),
    ItemTable(("a", "b", "c"), {"closeness": np.zeros(3)}),
    stamp={"schema": 1},
)


def test_numbers_have_full_precision_and_undefined_ones_are_null():
    document = json.loads(encode_json(system_json(SCORED)))
    assert document["scores"] == {"closeness": 1 / 3, "rmse": None}
    assert document["intervals"] == {"closeness": [0.25, 0.5]}
    assert document["n_items"] == 3
    assert document["stamp"] == {"schema": 1}


def test_a_refused_system_has_the_same_keys():
    refused = unscored_system_json("two", "published", [error(Place("x", 1), "Wrong.")])
    assert refused.keys() == system_json(SCORED).keys()
    assert refused["defects"][0]["found"] == "Wrong."


def test_the_document_names_its_schema_and_task():
    document = competition_json("toy", [system_json(SCORED)])
    assert (document["schema"], document["task"], document["defects"]) == (1, "toy", [])


def test_a_path_that_is_not_utf_8_is_kept():
    document = encode_json({"path": "caf\udce9"})
    assert json.loads(document) == {"path": "caf\udce9"}


def test_a_number_that_json_cannot_contain_is_a_program_error():
    with pytest.raises(ValueError, match="not JSON compliant"):
        encode_json({"value": math.nan})
