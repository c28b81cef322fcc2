"""Ranked answers: the recorded numbers of the challenge's program, forms of files, and defects."""

from __future__ import annotations

import copy
import gzip
import json
import math

import numpy as np
import pytest

from jurydesk.core.execution.engine import score_submissions
from jurydesk.core.execution.run import Run
from jurydesk.core.model.input_file import files_by_role
from jurydesk.core.tasks.visdial_ranks.visdial_ranks_options import VisDialRanksOptions
from jurydesk.core.tasks.visdial_ranks.visdial_ranks_task import TASK
from support.oracles import oracle

PATH = oracle("visdial_ranks/visdial_ranks.json.gz")
RECORDED = json.loads(gzip.decompress(PATH.read_bytes()))
CASES = RECORDED["cases"]
CASE = CASES[0]


def named(name):
    return next(one for one in CASES if one["name"] == name)


def score(folder, dialogs, dense, ranks, **options):
    inputs = {"dialogs": [folder / "dialogs.json"], "results": [folder / "ranks.json"]}
    contents = {"dialogs": dialogs, "ranks": ranks}
    if dense:
        inputs["relevance"] = [folder / "dense.json"]
        contents["dense"] = dense
    for name, content in contents.items():
        (folder / f"{name}.json").write_text(json.dumps(content))
    return score_submissions(
        TASK, files_by_role(inputs), VisDialRanksOptions(**options), Run(), resamples=0
    )


def score_case(folder, case=CASE, ranks=None, **options):
    return score(folder, case["dialogs"], case["dense"], ranks or case["ranks"], **options)


def found(result):
    """Return what is wrong, with its place in the file."""
    return [(one.place.json_path, one.found) for one in result.defects if one.severity == "error"]


def scores(result):
    assert result.evaluations, [str(one) for one in result.defects]
    return {one.metric: one.value for one in result.evaluations[0].scores}


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_every_score_rank_and_ndcg_equals_the_original(case, tmp_path):
    evaluation = score_case(tmp_path, case).evaluations[0]
    for name, value in case["double_precision"].items():
        expected = math.nan if value is None else value
        assert evaluation.score(name).value == pytest.approx(expected, rel=1e-12, nan_ok=True)
    for batch, original in case["original"].items():
        if not batch.startswith("batch") or "error" in original:
            continue
        assert evaluation.items.columns["rank"].tolist() == original["ranks_of_the_answer"]
        for name, value in original["metrics"].items():
            expected = math.nan if value is None else value
            assert evaluation.score(name).value == pytest.approx(expected, rel=1e-6, nan_ok=True)
    values = dict(zip(evaluation.items.ids, evaluation.items.columns["ndcg"], strict=True))
    for image, number, value in case["original"]["ndcg_by_round"]:
        expected = pytest.approx(math.nan if value is None else value, rel=1e-6, nan_ok=True)
        assert values[f"{image}-{number}"] == expected


def test_a_round_without_a_relevant_option_is_left_out_of_the_corrected_profile(tmp_path):
    case = named("a round without relevant option")
    published = score_case(tmp_path, case)
    assert math.isnan(scores(published)["ndcg"])
    assert "1 round without a relevant option: 100013-6." in [x.found for x in published.defects]
    known = [value for _, _, value in case["original"]["ndcg_by_round"] if value is not None]
    corrected = scores(score_case(tmp_path, case, profile="corrected"))
    assert corrected["ndcg"] == pytest.approx(np.mean(known), rel=1e-6)
    assert corrected["mrr"] == scores(published)["mrr"]


def test_mrr_of_dense_rounds_rests_on_the_rounds_of_ndcg_and_the_median_is_the_lower_one(tmp_path):
    case = named("dense for half of the images")
    result = score_case(tmp_path, case)
    evaluation = result.evaluations[0]
    ranks = evaluation.items.columns["rank"]
    dense = {f"{one['image_id']}-{one['round_id']}" for one in case["dense"]}
    chosen = [one in dense for one in evaluation.items.ids]
    assert scores(result)["mrr_dense"] == pytest.approx((1 / ranks[chosen]).mean(), rel=1e-12)
    assert scores(result)["median"] == np.sort(ranks)[(len(ranks) - 1) // 2]
    said = "NDCG rests on 3 rounds, the other metrics on 60 rounds."
    assert said in [one.found for one in result.defects]


def altered(change):
    """Return the recorded ranks with a change to the first entry's list, or to the list of all."""
    entries = copy.deepcopy(CASE["ranks"])
    change(entries)
    return entries


def exchange(entries, *changes):
    for place, value in changes:
        entries[0]["ranks"][place] = value


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (
            lambda one: exchange(one, *((i, r - 1) for i, r in enumerate(one[0]["ranks"]))),
            ("[0].ranks", "The ranks count from 0."),
        ),
        (lambda one: exchange(one, (3, 58), (4, 58)), ("[0].ranks[4]", "Rank 58 is also at [3].")),
        (lambda one: exchange(one, (5, 101)), ("[0].ranks[5]", "The rank is 101.")),
        (lambda one: exchange(one, (5, 1.5)), ("[0].ranks[5]", "The rank is the number 1.5.")),
        (lambda one: exchange(one, (5, "x")), ("[0].ranks[5]", 'The rank is the text "x".')),
        (lambda one: exchange(one, (5, True)), ("[0].ranks[5]", "The rank is true.")),
        (lambda one: one[0]["ranks"].pop(), ("[0].ranks", "The list has 99 ranks.")),
        (lambda one: one.append(one[4]), ("[120]", "Round 100007-5 is also at [4].")),
        (lambda one: one.pop(4), (None, "1 round without ranks: 100007-5.")),
        (
            lambda one: one[0].update(image_id=3),
            ("[0]", "1 entry of images that are not in dialogs.json: 3."),
        ),
        (
            lambda one: one[0].update(round_id=11),
            ("[0]", "1 entry of rounds without options in dialogs.json: 100007-11."),
        ),
        (
            lambda one: one[0].update(round_id=0),
            (None, "Round 0 is at [0] and round 10 at [9]."),
        ),
        (lambda one: one[0].update(image_id="x"), ("[0].image_id", '"image_id" is the text "x".')),
        (lambda one: one[0].pop("ranks"), ("[0].ranks", '"ranks" is missing.')),
        (lambda one: one.insert(0, 5), ("[0]", "The element is the number 5.")),
        (lambda one: one.clear(), (None, "The list is empty.")),
    ],
)
def test_a_faulty_list_is_refused_with_the_place_and_the_fault(change, expected, tmp_path):
    result = score_case(tmp_path, ranks=altered(change) or [])
    if expected[1] == "The list is empty.":
        result = score(tmp_path, CASE["dialogs"], CASE["dense"], [])
    assert result.evaluations == ()
    assert expected in found(result)


def test_ranks_from_zero_are_read_if_the_option_says_so(tmp_path):
    lower = [{**one, "ranks": [rank - 1 for rank in one["ranks"]]} for one in CASE["ranks"]]
    assert scores(score_case(tmp_path, ranks=lower, rank_base="0")) == scores(score_case(tmp_path))


def test_rounds_from_zero_are_recognized(tmp_path):
    lower = [{**one, "round_id": one["round_id"] - 1} for one in CASE["ranks"]]
    result = score_case(tmp_path, ranks=lower)
    assert scores(result) == scores(score_case(tmp_path))
    assert result.defects[0].found == "120 entries; the rounds count from 0."


def test_rounds_that_fit_either_way_count_from_one_with_a_note(tmp_path):
    dialogs = copy.deepcopy(CASE["dialogs"])
    for one in dialogs["data"]["dialogs"]:
        one["dialog"] = one["dialog"][:3]
    ranks = [one for one in CASE["ranks"] if one["round_id"] in (1, 2)]
    result = score(tmp_path, dialogs, None, ranks, missing="worst")
    assert result.defects[0].hint == "Both fit; --round-base 0 reads them from 0."
    assert result.evaluations[0].items.columns["missing"].tolist() == [0, 0, 1] * 12


def test_an_order_in_place_of_ranks_is_noticed_with_both_numbers(tmp_path):
    orders = [{**one, "ranks": (np.argsort(one["ranks"]) + 1).tolist()} for one in CASE["ranks"]]
    result = score_case(tmp_path, ranks=orders)
    (warned,) = [one for one in result.defects if "name options by rank" in one.found]
    wrong = scores(result)["mrr"]
    assert f"MRR would be 0.5646, not {wrong:.4f}." in warned.found
    assert not [one for one in score_case(tmp_path).defects if "name options by rank" in one.found]


def test_missing_rounds_count_as_the_worst_or_as_random_ranks(tmp_path):
    ranks = [one for one in CASE["ranks"] if one["image_id"] != 100007]
    dense = next(one for one in CASE["dense"] if one["image_id"] == 100007)["gt_relevance"]
    worst = score_case(tmp_path, ranks=ranks, missing="worst").evaluations[0].items.columns
    assert worst["rank"][:10].tolist() == [100] * 10
    chance = score_case(tmp_path, ranks=ranks, missing="chance").evaluations[0].items.columns
    assert chance["rank"][:10].tolist() == [50.5] * 10
    assert chance["mrr"][0] == pytest.approx(0.0519, abs=5e-5)
    assert chance["r@5"][0] == pytest.approx(0.05)
    places = np.count_nonzero(dense)
    discount = 1 / np.log2(np.arange(2, places + 2))
    ideal = (np.sort(dense)[::-1][:places] * discount).sum()
    assert chance["ndcg"][0] == pytest.approx(np.mean(dense) * discount.sum() / ideal, rel=1e-12)
    assert worst["ndcg"][0] == 0


def test_a_file_with_the_dense_rounds_alone_is_scored_on_these(tmp_path):
    dense = {(one["image_id"], one["round_id"]) for one in CASE["dense"]}
    ranks = [one for one in CASE["ranks"] if (one["image_id"], one["round_id"]) in dense]
    result = score_case(tmp_path, ranks=ranks)
    whole = score_case(tmp_path)
    assert scores(result)["ndcg"] == scores(whole)["ndcg"]
    assert scores(result)["mrr"] == pytest.approx(scores(whole)["mrr_dense"], rel=1e-12)
    assert "12 of 120 rounds are scored." in [one.found for one in result.defects]
    assert found(score_case(tmp_path, ranks=ranks, rounds="all"))


def test_scores_are_ranked_with_ties_as_listed_and_the_range_over_their_orders(tmp_path):
    given = [{**one, "scores": [-rank for rank in one["ranks"]]} for one in CASE["ranks"]]
    for one in given:
        del one["ranks"]
    assert scores(score_case(tmp_path, ranks=given)) == scores(score_case(tmp_path))
    constant = [{**one, "scores": [0] * 100} for one in given]
    result = score_case(tmp_path, ranks=constant)
    (tied,) = [one for one in result.defects if one.found.startswith("Equal scores in 120 rounds")]
    assert "R@1 0.0000 to 1.0000" in tied.hint
    assert "NDCG 0.0000 to 1.0000" in tied.hint
    truths = [
        turn["gt_index"] + 1
        for dialog in CASE["dialogs"]["data"]["dialogs"]
        for turn in dialog["dialog"]
    ]
    assert result.evaluations[0].items.columns["rank"].tolist() == truths


@pytest.mark.parametrize("value", [math.nan, math.inf, 10**400, "1", None])
def test_scores_that_are_no_finite_numbers_are_refused(value, tmp_path):
    given = [{**one, "scores": [*range(99), value]} for one in CASE["ranks"][:1]]
    del given[0]["ranks"]
    ((place, _), *_) = found(score_case(tmp_path, ranks=given))
    assert place == "[0].scores[99]"


def dense_of(change):
    entries = copy.deepcopy(CASE["dense"])
    change(entries)
    return entries


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (
            lambda one: one[0].update(round_id=12),
            ("[0]", "Round 100007-12 has no options in the dialogues."),
        ),
        (lambda one: one.append(one[0]), ("[12]", "Round 100007-1 is also at [0].")),
        (
            lambda one: one[0]["gt_relevance"].pop(),
            ("[0].gt_relevance", "The list has 99 relevances."),
        ),
        (
            lambda one: one[0]["gt_relevance"].__setitem__(3, -0.5),
            ("[0].gt_relevance[3]", "The relevance is -0.5."),
        ),
        (
            lambda one: one[0]["gt_relevance"].__setitem__(3, 1.5),
            ("[0].gt_relevance[3]", "The relevance is 1.5."),
        ),
        (
            lambda one: one[0].pop("gt_relevance"),
            ("[0].gt_relevance", '"gt_relevance" is missing.'),
        ),
    ],
)
def test_faulty_dense_annotations_are_refused(change, expected, tmp_path):
    result = score(tmp_path, CASE["dialogs"], dense_of(change), CASE["ranks"])
    assert found(result)[0][0] == expected[0]
    assert found(result)[0][1].startswith(expected[1])


def test_relevances_are_read_under_either_name(tmp_path):
    renamed = [
        {"relevance": one["gt_relevance"], **{k: one[k] for k in ("image_id", "round_id")}}
        for one in CASE["dense"]
    ]
    result = score(tmp_path, CASE["dialogs"], renamed, CASE["ranks"])
    assert scores(result) == scores(score_case(tmp_path))


def test_public_dialogues_without_true_answers_have_only_ndcg(tmp_path):
    dialogs = copy.deepcopy(named("test, one round an image")["dialogs"])
    case = named("test, one round an image")
    for dialog in dialogs["data"]["dialogs"]:
        dialog["dialog"][-1].pop("gt_index")
    result = score(tmp_path, dialogs, case["dense"], case["ranks"])
    assert math.isnan(scores(result)["mrr"])
    assert scores(result)["ndcg"] == scores(score_case(tmp_path, case))["ndcg"]


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (
            lambda data: data.pop("answers"),
            (
                "data.answers",
                '"answers" is missing. Its members are "dialogs", "questions".',
            ),
        ),
        (
            lambda data: data["dialogs"].append(data["dialogs"][0]),
            ("data.dialogs[12]", "Image 100007 has another dialogue already."),
        ),
        (
            lambda data: data["dialogs"][0]["dialog"][0].update(gt_index=100),
            ("data.dialogs[0].dialog[0].gt_index", "The index of the true answer is 100."),
        ),
        (
            lambda data: data["dialogs"][0]["dialog"][0].update(answer_options=[9999999]),
            ("data.dialogs[0].dialog[0].answer_options", "An option is none of the 400 answers."),
        ),
        (lambda data: data.update(dialogs=[]), ("data.dialogs", "No round has options.")),
    ],
)
def test_faulty_dialogues_are_refused(change, expected, tmp_path):
    dialogs = copy.deepcopy(CASE["dialogs"])
    change(dialogs["data"])
    assert expected in found(score(tmp_path, dialogs, None, CASE["ranks"]))


def test_the_evidence_has_the_options_in_the_system_s_order_with_their_relevances(tmp_path):
    items = score_case(tmp_path).evaluations[0].items
    evidence = items.show(0)
    assert [one.rank for one in evidence.options] == [*range(1, 101)]
    assert evidence.truth.rank == items.columns["rank"][0]
    assert sum(one.relevance > 0 for one in evidence.options) == items.columns["n_relevant"][0]
    assert (len(items.show(3).history), items.show(3).has_relevance) == (3, False)


def test_lists_of_options_by_rank_are_read_if_the_option_says_so(tmp_path):
    orders = [
        {**one, "ranks": [1 + option for option in np.argsort(one["ranks"]).tolist()]}
        for one in CASE["ranks"]
    ]
    result = score_case(tmp_path, ranks=orders, lists="order")
    assert scores(result)["mrr"] == pytest.approx(CASE["double_precision"]["mrr"], rel=1e-12)
    assert not any("seem to name options" in one.found for one in result.defects)
