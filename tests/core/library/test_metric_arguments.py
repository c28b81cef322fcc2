"""Metric functions take what callers of the original programs write, or say what they found."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import jurydesk
from jurydesk.core.model.evaluation import UsageError
from jurydesk.core.tasks.captions.coco_api import COCO, COCOEvalCap

QRELS, RUN = {"q": {"1": 1, "2": 0}}, {"q": {"1": 0.5, "2": 0.7}}
FEATURES = np.arange(24.0).reshape(8, 3) ** 1.5


@pytest.mark.parametrize(
    ("asked", "name"),
    [
        ("ndcg_cut.10", "ndcg_cut_10"),
        ("nDCG@10", "nDCG@10"),
        ("P@1", "P@1"),
        ("RR", "RR"),
        ("AP", "AP"),
        ("R@1", "R@1"),
        ("IPrec@0.1", "IPrec@0.1"),
        ("iprec_at_recall.0.1", "iprec_at_recall_0.10"),
        ("rbp", "rbp"),
    ],
)
def test_measures_have_the_names_of_trec_eval_and_of_ir_measures(asked, name):
    table = jurydesk.ranking(QRELS, RUN, [asked])
    assert table.columns == ["query", name]
    assert 0 <= table[name][0] <= 1


def test_a_family_and_a_text_of_several_names_are_several_measures():
    assert jurydesk.ranking(QRELS, RUN, "map,P.1,2 recip_rank").columns == (
        ["query", "map", "P_1", "P_2", "recip_rank"]
    )
    assert jurydesk.ranking(QRELS, RUN, {"success"}).columns == (
        ["query", "success_1", "success_5", "success_10"]
    )


@pytest.mark.parametrize("ids", [{"q": 7, "1": 1, "2": 2}, {"q": np.int64(7), "1": 1, "2": "2"}])
def test_numbers_are_ids(ids):
    def renamed(lists):
        return {ids[query]: {ids[one]: value for one, value in held.items()}
                for query, held in lists.items()}  # fmt: skip

    for judgements, run in ((renamed(QRELS), renamed(RUN)), (renamed(QRELS), {"7": RUN["q"]})):
        found = jurydesk.ranking(judgements, run, ["recip_rank"]).to_dicts()
        assert found == [{"query": "7", "recip_rank": 0.5}]


def test_tokens_and_dictionaries_of_captions_are_read():
    expected = jurydesk.cider(["a red bus", "two dogs"], [["A red bus."], ["Three cats."]])
    tokens = jurydesk.cider(
        [["a", "red", "bus"], ["two", "dogs"]], [[["A", "red", "bus."]], [["Three", "cats."]]]
    )
    by_id = jurydesk.cider(
        {4: ["a red bus"], 9: "two dogs"}, {9: ["Three cats."], 4: [{"caption": "A red bus."}]}
    )
    assert tokens.tolist() == by_id.tolist() == expected.tolist()
    assert jurydesk.meteor([["the", "cat"]], [[["the", "cat"]]]).tolist() == [1.0]


def test_document_frequencies_of_other_references_decide_cider():
    """If none of 100 images has the words, every weight is ln 100, and equal texts get 10."""
    known = {"sets": 100, "counts": {"dogs": 100}}
    texts = ["a red bus here"], [["a red bus here"]]
    assert jurydesk.cider(*texts, document_frequencies=known)[0] == pytest.approx(10)
    assert jurydesk.cider(*texts)[0] == 0
    usual = {"sets": 100, "counts": {"a red bus here": 100}}
    assert jurydesk.cider(*texts, document_frequencies=usual)[0] == pytest.approx(7.5)


def test_bleu_and_rouge_are_public():
    texts = ["a red bus", "dogs"], [["A red bus."], ["Three cats."]]
    assert jurydesk.bleu(*texts).scores.shape == (2, 4)
    assert jurydesk.bleu(*texts).corpus[0] == pytest.approx(3 / 4 * np.exp(1 - 5 / 4))
    assert jurydesk.rouge_l(*texts).tolist() == [1.0, 0.0]
    assert jurydesk.ptb_tokenize(["A man's dog."]) == ["a man 's dog"]


def test_krippendorffs_alpha_is_public():
    """Krippendorff (2011), the example of nominal data with missing values: 0.743."""
    o = None
    ratings = [
        [1, 2, 3, 3, 2, 1, 4, 1, 2, o, o, o],
        [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, o, 3],
        [o, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, o],
        [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, o],
    ]
    assert jurydesk.krippendorff_alpha(ratings, scale="nominal") == pytest.approx(0.743, abs=5e-4)


def test_the_frechet_distance_takes_moments_and_files(tmp_path: Path):
    moments = FEATURES.mean(axis=0), np.cov(FEATURES, rowvar=False)
    np.save(tmp_path / "a.npy", FEATURES)
    np.savez(tmp_path / "B.NPZ", mu=moments[0][np.newaxis], sigma=moments[1])
    (tmp_path / "B.NPZ.npz").rename(tmp_path / "B.NPZ")
    expected = jurydesk.frechet_distance(FEATURES, FEATURES + 1, trace="exact")
    for first in (
        moments,
        {"mu": moments[0], "sigma": moments[1]},
        {"features": FEATURES},
        tmp_path / "a.npy",
        str(tmp_path / "B.NPZ"),
    ):
        found = jurydesk.frechet_distance(first, FEATURES + 1, trace="exact")
        assert found == pytest.approx(expected)


@pytest.mark.parametrize(
    ("call", "fault", "sentence"),
    [
        (lambda: jurydesk.ranking([1], RUN), TypeError, "judgements is a list of whole numbers"),
        (lambda: jurydesk.ranking({"q": ["1"]}, RUN), TypeError, "documents are a list of texts"),
        (lambda: jurydesk.ranking({1.5: {}}, RUN), TypeError, "A query's id is a number"),
        (lambda: jurydesk.ranking({"q": {"1": "1"}}, RUN), TypeError, "document 1 has a text"),
        (lambda: jurydesk.ranking({1: {}, "1": {}}, RUN), ValueError, "as text and as a number"),
        (lambda: jurydesk.ranking(QRELS, RUN, [5]), TypeError, "A measure is a whole number"),
        (lambda: jurydesk.ranking(QRELS, RUN, ["ERR@10"]), UsageError, "no measure ERR@10"),
        (lambda: jurydesk.meteor([5], [["a"]]), TypeError, "A caption is a whole number"),
        (lambda: jurydesk.cider({1: "a"}, {2: ["a"]}), ValueError, "2 ids are not in both"),
        (lambda: jurydesk.frechet_distance({"a": 1}, FEATURES), ValueError, "holds a;"),
        (lambda: jurydesk.frechet_distance("a.npz", FEATURES), UsageError, "no such file"),
        (lambda: jurydesk.frechet_distance([{}], FEATURES), TypeError, "a list of dictionaries"),
        (lambda: jurydesk.krippendorff_alpha([1, 2]), ValueError, r"shape \(2,\)"),
        (
            lambda: jurydesk.score("captions", references="a.json", results=[{"image_id": 1}]),
            UsageError,
            "results is a list of dictionaries; paths of files are expected",
        ),
        (
            lambda: jurydesk.score("captions", references="a", results="b", profile=3),
            UsageError,
            "profile is a whole number; a text is expected",
        ),
    ],
)
def test_another_type_is_named_in_one_sentence(call, fault, sentence):
    """Callers of the originals catch the type of the error, and ours the input's."""
    with pytest.raises(fault, match=sentence) as caught:
        call()
    assert isinstance(caught.value, jurydesk.InputError)
    assert caught.value.result is None


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: jurydesk.meteor(["a"], [["a"]], profile="x"), 'profile is "x"; one of coco, vist'),
        (lambda: jurydesk.meteor("a", [["a"]]), "The hypotheses are a text"),
        (lambda: jurydesk.meteor([None], [["a"]]), "A caption is None"),
        (lambda: jurydesk.meteor(["a"], ["a"]), "The references of one hypothesis are a text"),
        (lambda: jurydesk.ranking(QRELS, RUN, 5), "measures is a whole number"),
        (lambda: jurydesk.ranking(QRELS, RUN, level="1"), "level is a text"),
        (lambda: jurydesk.ranking(QRELS, {"q": {"1": np.nan}}), "a score is not a number"),
        (lambda: jurydesk.frechet_distance(FEATURES, FEATURES[:, :2]), "3 and 2 columns"),
        (lambda: jurydesk.frechet_distance(FEATURES, FEATURES, trace="x"), 'trace is "x"'),
        (lambda: jurydesk.cider(["a"], [["a"]], document_frequencies={"a": 1}), "another form"),
        (lambda: jurydesk.cider(["a"], [["a"]], document_frequencies=[1]), "another form"),
        (lambda: jurydesk.krippendorff_alpha([["a"], ["b"]]), "a list of lists without equal rows"),
        (lambda: jurydesk.krippendorff_alpha([[1], [2]], scale=3), "scale is a whole number"),
        (lambda: jurydesk.ptb_tokenize("a"), "The captions are a text"),
        (lambda: jurydesk.score("captions"), "needs references=FILE"),
        (lambda: jurydesk.check("captoins"), "captoins"),
        (lambda: COCO("none.json"), "none.json: The file does not exist"),
        (lambda: COCO().loadRes("none.json"), "none.json: The file does not exist"),
        (lambda: COCO().loadRes({"results": []}), "The results are an object"),
        (lambda: COCO().loadRes([{"image_id": 77}]), "images without annotations: 77"),
        (lambda: COCO().loadRes([{"caption": "a"}]), "Result 0: the image id is null"),
    ],
)
def test_input_that_no_function_takes_is_an_input_error(call, sentence):
    with pytest.raises(jurydesk.InputError, match=sentence):
        call()


def captions(*texts):
    coco = COCO()
    coco.dataset = {
        "images": [{"id": key} for key in range(len(texts))],
        "annotations": [
            {"id": key, "image_id": key, "caption": text} for key, text in enumerate(texts)
        ],
    }
    coco.createIndex()
    return coco


@pytest.mark.parametrize(
    ("results", "sentence"),
    [
        ([{"image_id": "x"}, {"image_id": 77}], 'without annotations: "x", 77'),
        ([{"caption": "a"}], "Result 0: the image id is null"),
        (["a"], 'Result 0: the image id is the text "a"'),
        ({"results": []}, "The results are an object"),
    ],
)
def test_results_that_fit_no_image_are_named(results, sentence):
    with pytest.raises(ValueError, match=sentence):
        captions("a").loadRes(results)


def test_a_caption_that_is_no_text_is_named():
    truth = captions("a goat", "a ram")
    found = truth.loadRes([{"image_id": 0, "caption": "a"}, {"image_id": 1, "caption": None}])
    with pytest.raises(ValueError, match="A caption of image 1 is null"):
        COCOEvalCap(truth, found).evaluate()


def test_lists_of_measures_and_groups_in_a_dictionary_are_read(tmp_path: Path):
    (tmp_path / "qrels").write_text("".join(f"q{i} 0 d1 1\nq{i} 0 d2 0\n" for i in range(12)))
    for name, order in (("one", "12"), ("other", "21")):
        lines = [f"q{i} Q0 d{one} {rank} {-rank} x\n"
                 for i in range(12) for rank, one in enumerate(order, start=1)]  # fmt: skip
        (tmp_path / name).write_text("".join(lines))
    result = jurydesk.score(
        "keyword-spotting",
        relevance=tmp_path / "qrels",
        results=[tmp_path / "one", tmp_path / "other"],
        measures=["P_3", "nDCG@3"],
        groups={f"q{i}": f"k{i // 2}" for i in range(12)},
    )
    assert {"P_3", "ndcg_cut_3"} <= {*result["one"].scores}
    groups = {f"q{i}": f"k{i // 2}" for i in range(12)}
    compared = jurydesk.compare(result, "one", "other", metric="ap", groups=groups)
    assert compared.metrics[0].groups == 6
