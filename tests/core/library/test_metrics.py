"""Metric functions return the recorded numbers of the original programs."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest

from jurydesk.core.library.metrics import cider, frechet_distance, meteor, ranking
from jurydesk.core.model.evaluation import UsageError
from support.oracles import oracle


def lines(name):
    return [json.loads(line) for line in oracle(name).read_text("utf-8").splitlines()]


METEOR = lines("meteor/own.jsonl")
CAPTIONS = json.loads(oracle("captions/own_eval.json").read_text("utf-8"))["cases"]
TREC = lines("keyword_spotting/shared_trec.jsonl")
DISTANCES = json.loads(oracle("neural/shared_fid.json").read_text("utf-8"))["runs"]


def captions(name):
    """Return candidates, references and pycocoevalcap's CIDEr of each image."""
    (case,) = (one for one in CAPTIONS if one["name"] == name)
    texts = {one["image_id"]: one["caption"] for one in case["results"]}
    ids = [one["id"] for one in case["annotations"]["images"]]
    references = [
        [one["caption"] for one in case["annotations"]["annotations"] if one["image_id"] == key]
        for key in ids
    ]
    by_image = {one["image_id"]: one["cider"] for one in case["per_image"]}
    return [texts[key] for key in ids], references, [by_image[key] for key in ids]


@pytest.mark.parametrize("profile", ["coco", "vist"])
def test_meteor_equals_that_of_the_jar(profile):
    rows = [row for row in METEOR if row["config"] == profile][:80]
    found = meteor([row["hyp"] for row in rows], [row["refs"] for row in rows], profile=profile)
    assert found.tolist() == [row["score"] for row in rows]


@pytest.mark.parametrize("name", ["basic", "unequal counts", "punctuation", "next line decides"])
def test_cider_equals_that_of_pycocoevalcap(name):
    candidates, references, expected = captions(name)
    assert cider(candidates, references).tolist() == pytest.approx(expected, abs=1e-12)


def test_cider_without_the_tokenizer_splits_words_at_blanks():
    words, references = ["a red bus", "two dogs run"], [["a red bus"], ["two dogs run fast"]]
    assert cider(words, references, tokenize=False)[0] == pytest.approx(7.5)
    assert cider(["a, bus"], [["a bus"]], tokenize=False) == pytest.approx([0.0])


@pytest.mark.parametrize("case", ["d64_n200", "d192_n100"])
def test_the_frechet_distance_equals_the_published_one(case):
    with np.load(oracle("neural/shared_fid_features.npz")) as file:
        first, second = file[f"{case}_a"], file[f"{case}_b"]
    recorded = next(iter(DISTANCES.values()))[case]
    assert frechet_distance(first, second) == pytest.approx(recorded["fid"], abs=1e-4)
    exact = frechet_distance(first, second, trace="exact")
    assert exact == pytest.approx(recorded["exact_nuclear_norm_value"], rel=1e-9)


def trec_dictionaries(text, columns):
    found = {}
    for line in text.splitlines():
        parts = line.split()
        if parts and not line.startswith("#"):
            query, document, value = parts[0], parts[2], parts[columns]
            found.setdefault(query, {})[document] = float(value)
    return found


@pytest.mark.parametrize(
    "case", [one for one in TREC if "pytrec_eval" in one], ids=lambda case: case["name"]
)
def test_measures_of_rankings_equal_those_of_pytrec_eval(case):
    per_query = case["pytrec_eval"]["per_query"]
    names = [
        name for name in next(iter(per_query.values())) if not name.startswith(("runid", "num_q"))
    ]
    qrels, run = trec_dictionaries(case["qrels"], 3), trec_dictionaries(case["run"], 4)
    found = ranking(qrels, run, names, level=case["relevance_level"])
    ours = {row.pop("query"): row for row in found.to_dicts()}
    for query, row in ours.items():
        assert row == {name: per_query[query][name] for name in names}, query
    assert ours.keys() == {query for query in per_query if run.get(query)}


def test_equal_scores_are_ordered_by_descending_name_as_trec_eval_does():
    found = ranking({"q": {"a": 1}}, {"q": {"a": 1.0, "b": 1.0}}, ["recip_rank"])
    assert found.to_dicts() == [{"query": "q", "recip_rank": 0.5}]


def test_queries_without_results_have_no_row():
    assert ranking({"q": {"a": 1}}, {"r": {"a": 1.0}}).shape == (0, 4)


@pytest.mark.parametrize(
    ("call", "fault", "sentence"),
    [
        (lambda: meteor("a", [["b"]]), TypeError, "A list of hypotheses"),
        (lambda: meteor(["a"], ["b"]), TypeError, "a list of lists of references"),
        (lambda: cider(["a", "b"], [["c"]]), ValueError, "2 hypotheses against 1"),
        (lambda: cider(["a"], [[]]), ValueError, "Hypothesis 0 has no reference"),
        (lambda: frechet_distance([1.0, 2.0], [[1.0]]), ValueError, r"shape \(2,\)"),
        (
            lambda: frechet_distance([[1.0], [math.nan]], [[1.0], [2.0]]),
            ValueError,
            "finite numbers",
        ),
        (lambda: ranking({"q": {"a": 1}}, {"q": {"a": 1}}, ["mapp"]), UsageError, "mapp"),
        (lambda: ranking({"q": {"a": 1}}, {"q": {"a": math.nan}}), ValueError, "Query q"),
    ],
)
def test_invalid_arguments_are_refused_with_a_message(call, fault, sentence):
    with pytest.raises(fault, match=sentence):
        call()


def test_documents_are_relevant_from_the_level_on():
    """One of two judged documents has the grade 0, which counts from level 0 on."""
    judged, run = {"q": {"a": 0, "b": 1}}, {"q": {"a": 2.0, "b": 1.0}}
    found = [
        ranking(judged, run, ["recall_5", "P_1", "Rprec"], level=level).row(0)[1:]
        for level in (0, 1)
    ]
    assert found == [(1.0, 1.0, 1.0), (1.0, 0.0, 0.0)]


def test_a_fraction_is_relevant_in_a_ranking_as_in_the_command():
    judged = {"q": {"a": 0.7, "b": 0, "c": 1}}
    run = {"q": {"a": 3.0, "b": 2.0, "c": 1.0}}
    found = ranking(judged, run, ["map"]).row(0)[1]
    assert found == pytest.approx((1 / 1 + 2 / 3) / 2)
    assert ranking(judged, run, ["map"], level=1).row(0)[1] == pytest.approx(1 / 3)
