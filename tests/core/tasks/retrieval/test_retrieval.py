"""Image-text retrieval: the recorded numbers of the originals, formats, and defects."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from jurydesk.core.execution.engine import score_submissions
from jurydesk.core.execution.run import Run
from jurydesk.core.metrics.retrieval_ranks import ORDERS, place_in_order
from jurydesk.core.model.evaluation import UsageError
from jurydesk.core.model.input_file import files_by_role
from jurydesk.core.tasks.retrieval.retrieval_options import RetrievalOptions
from jurydesk.core.tasks.retrieval.retrieval_task import TASK, redacted_references
from support.oracles import oracle

FOLDER = oracle("image_text_retrieval")
RECORDED = json.loads((FOLDER / "retrieval.json").read_text("utf-8"))
CASES = [one for one in RECORDED["cases"] if one["files"]]
RANKED = [one for one in CASES if one["bounds"] is not None]
"""Cases without NaN."""
DIRECTIONS = ("i2t", "t2i")
VALUES = ("r1", "r5", "r10", "medr", "meanr")


def score(inputs, **options):
    return score_submissions(
        TASK, files_by_role(inputs), RetrievalOptions(**options), Run(), resamples=0
    )


def score_case(case, folder: Path, **options):
    """Return the result of a recorded case."""
    files = {name: FOLDER / file for name, file in case["files"].items()}
    if "sims" in files:
        inputs = {"results": [files["sims"]]}
    else:
        inputs = {"results": [files["images"]], "captions": [files["captions"]]}
    if case.get("image_of_caption"):
        pairs = folder / "pairs.json"
        pairs.write_text(json.dumps({"image_of_caption": case["image_of_caption"]}))
        inputs["references"] = [pairs]
    else:
        options["captions_per_image"] = case["captions_per_image"]
    return score(inputs, **options)


def ranks_of(evaluation):
    """Return the ranks of images and of captions, counted from 0 as the originals do."""
    images = sum(one.startswith("image ") for one in evaluation.items.ids)
    ranks = evaluation.items.columns["rank"] - 1
    return {"i2t": ranks[:images].tolist(), "t2i": ranks[images:].tolist()}


def percent(evaluation, direction, name):
    value = evaluation.score(f"{direction}_{name}").value
    return 100 * value if name.startswith("r") else value


@pytest.mark.parametrize("case", RANKED, ids=lambda case: case["name"])
@pytest.mark.parametrize("program", ["vsepp, numpy 1.16.6", "scan, numpy 1.16.6"])
def test_values_and_every_rank_equal_the_originals_even_with_ties(case, program, tmp_path):
    original = case["original"].get(program)
    if original is None:
        return
    evaluation = score_case(case, tmp_path).evaluations[0]
    for direction in DIRECTIONS:
        assert ranks_of(evaluation)[direction] == original[direction]["ranks"]
        for name in VALUES:
            expected = pytest.approx(original[direction][name], rel=1e-12)
            assert percent(evaluation, direction, name) == expected
    recalls = sum(original[one][name] for one in DIRECTIONS for name in VALUES[:3])
    assert evaluation.score("rsum").value == pytest.approx(recalls, rel=1e-12)


def test_the_first_images_as_queries_of_the_whole_gallery_are_the_first_items(tmp_path):
    case = next(one for one in CASES if "vsepp npts, numpy 1.16.6" in one["original"])
    original, count = case["original"]["vsepp npts, numpy 1.16.6"], case["npts"]
    ranks = ranks_of(score_case(case, tmp_path).evaluations[0])
    for direction, queries in (("i2t", count), ("t2i", 5 * count)):
        assert ranks[direction][:queries] == original[direction]["ranks"]


@pytest.mark.parametrize("case", RANKED, ids=lambda case: case["name"])
def test_recalls_without_ties_equal_clip_benchmark(case, tmp_path):
    evaluation = score_case(case, tmp_path).evaluations[0]
    columns = evaluation.items.columns
    if (columns["rank_best"] != columns["rank_worst"]).any():
        return  # the order of torch's sort: see the next test
    # CLIP_benchmark counts an image without captions as a miss.
    images = 25 / 24 if case["name"] == "an image without captions" else 1
    for name, recorded in case["original"].get("CLIP_benchmark", {}).items():
        side, _, k = name.partition("_retrieval_recall@")
        found = evaluation.score(f"{'i2t' if side == 'text' else 't2i'}_r{k}").value
        if isinstance(recorded, float):  # else k exceeds the candidates, which the original refuses
            scale = images if side == "text" else 1
            assert found == pytest.approx(recorded * scale, abs=1e-6)


@pytest.mark.parametrize("case", RANKED, ids=lambda case: case["name"])
def test_clip_benchmark_s_order_of_ties_is_within_the_range_that_is_said(case, tmp_path):
    recorded = case["original"].get("CLIP_benchmark", {})
    ends = [score_case(case, tmp_path, ties=one).evaluations[0] for one in ("worst", "best")]
    images = 24 / 25 if case["name"] == "an image without captions" else 1
    for name, found in recorded.items():
        side, _, k = name.partition("_retrieval_recall@")
        metric = f"{'i2t' if side == 'text' else 't2i'}_r{k}"
        low, high = (one.score(metric).value for one in ends)
        scale = images if side == "text" else 1
        if isinstance(found, float):
            assert low * scale - 1e-6 <= found <= high * scale + 1e-6


def test_the_order_of_indices_gives_the_numbers_of_open_clip(tmp_path):
    case = next(one for one in CASES if "open_clip" in one["original"])
    evaluation = score_case(case, tmp_path, ties="first").evaluations[0]
    for direction, side in (("i2t", "image_to_text"), ("t2i", "text_to_image")):
        for name, theirs in (("medr", "median_rank"), ("meanr", "mean_rank")):
            recorded = case["original"]["open_clip"][f"{side}_{theirs}"]
            assert percent(evaluation, direction, name) == pytest.approx(recorded, rel=1e-12)
        for k in (1, 5, 10):
            recorded = case["original"]["open_clip"][f"{side}_R@{k}"]
            found = evaluation.score(f"{direction}_r{k}").value
            assert found == pytest.approx(recorded, rel=1e-12)


@pytest.mark.parametrize("case", RANKED, ids=lambda case: case["name"])
def test_ranks_in_the_other_orders_of_ties_equal_the_recorded_bounds(case, tmp_path):
    for number, ties in enumerate(("best", "worst", "expected", "last")):
        found = ranks_of(score_case(case, tmp_path, ties=ties).evaluations[0])
        for direction in DIRECTIONS:
            wanted = [one[number] for one in case["bounds"][direction] if one is not None]
            assert found[direction] == pytest.approx(wanted, abs=1e-9)


def splitmix(x):
    """Return the rule of the recorded case without files, as its README gives it."""
    x = x.astype(np.uint64) + np.uint64(0x9E3779B97F4A7C15)
    x ^= x >> np.uint64(30)
    x *= np.uint64(0xBF58476D1CE4E5B9)
    x ^= x >> np.uint64(27)
    x *= np.uint64(0x94D049BB133111EB)
    return x ^ (x >> np.uint64(31))


def embeddings_by_rule(seed):
    column, image, caption = (np.arange(size) for size in (6, 5000, 25000))
    one = splitmix(6 * image[:, None] + column + 1000003 * seed) % np.uint64(4001)
    images = one.astype(np.int64) - 2000
    other = splitmix(6 * caption[:, None] + column + 7000003 * seed + 2**40) % np.uint64(1801)
    return images, images[caption // 5] + other.astype(np.int64) - 900


def test_five_folds_of_5000_images_have_the_mean_values_of_the_original(tmp_path):
    case = next(one for one in RECORDED["cases"] if one.get("fold5"))
    images, captions = embeddings_by_rule(RECORDED["rule_seed"])
    path = tmp_path / "rule.npz"
    np.savez(path, images=images.astype(np.float32), captions=captions.astype(np.float32))
    whole = score({"results": [path]}).evaluations[0]
    for direction in DIRECTIONS:
        original = case["original"]["vsepp, numpy 1.16.6"][direction]
        assert ranks_of(whole)[direction][:200] == original["ranks"]
        for name in VALUES:
            assert percent(whole, direction, name) == pytest.approx(original[name], rel=1e-12)
    folds = score({"results": [path]}, folds="5")
    evaluation = folds.evaluations[0]
    found = [percent(evaluation, one, name) for one in DIRECTIONS for name in VALUES]
    mean = case["original"]["fold5"]["mean"]
    assert [*found, evaluation.score("rsum").value] == pytest.approx(mean[:11], rel=1e-12)
    assert "prints six times this sum of recalls" in " ".join(one.hint for one in folds.defects)
    printed = score({"results": [path]}, folds="5", printed_sum="vsepp").evaluations[0]
    assert f"{printed.score('rsum').value:.1f}" == case["original"]["fold5"]["printed rsum"]
    exchanged = score({"results": [path]}, folds="5", printed_sum="scan").evaluations[0]
    assert exchanged.score("rsum").value == pytest.approx(6 * mean[11], rel=1e-12)
    whole = score({"results": [path]}, printed_sum="vsepp").evaluations[0]
    assert whole.score("rsum").value <= 600  # without folds the program prints the sum


def numpy_order(values):
    """Return NumPy's ascending order without vector instructions, written from its rules."""
    order, parts = list(range(len(values))), [(0, len(values) - 1)]
    while parts:
        left, right = parts.pop()
        while right - left > 15:
            middle = left + ((right - left) >> 1)
            for one, other in ((middle, left), (right, middle), (middle, left)):
                if values[order[one]] < values[order[other]]:
                    order[one], order[other] = order[other], order[one]
            pivot = values[order[middle]]
            order[middle], order[right - 1] = order[right - 1], order[middle]
            low, high = left, right - 1
            while True:
                low += 1
                while values[order[low]] < pivot:
                    low += 1
                high -= 1
                while pivot < values[order[high]]:
                    high -= 1
                if low >= high:
                    break
                order[low], order[high] = order[high], order[low]
            order[low], order[right - 1] = order[right - 1], order[low]
            if low - left < right - low:
                parts.append((low + 1, right))
                right = low - 1
            else:
                parts.append((left, low - 1))
                left = low + 1
        order[left : right + 1] = sorted(order[left : right + 1], key=values.__getitem__)
    return order


@pytest.mark.parametrize("size", [3, 16, 17, 40, 1000])
def test_the_order_of_ties_is_that_of_numpy_without_vector_instructions(size):
    values = np.random.default_rng(size).integers(0, 7, size).astype(np.float32)
    order = numpy_order(values.tolist())[::-1]
    for own in range(min(size, 100)):
        assert place_in_order(values, np.array([own]), "numpy") == order.index(own)


def test_expected_values_are_means_over_all_orders_of_ties(tmp_path):
    # One image with two own and two other captions at the same similarity, and one above.
    matrix = np.array([[1, 1, 1, 2, 1.0, 0], [0, 0, 0, 5, 0.0, 0]])
    path = tmp_path / "ties.npy"
    np.save(path, matrix)
    items = score({"results": [path]}, ties="expected").evaluations[0].items
    # Own captions 0, 1, 2; foreign 4 ties; place 1 with probability 3/4, place 2 with 1/4.
    assert items.columns["rank"][0] == pytest.approx(2 + 1 / 4)
    assert items.columns["i2t_mrr"][0] == pytest.approx(3 / 4 / 2 + 1 / 4 / 3)
    assert items.columns["i2t_r1"][0] == 0.0
    assert items.columns["i2t_r5"][0] == 1.0


def test_a_constant_matrix_ranges_from_nothing_to_everything(tmp_path):
    case = next(one for one in CASES if one["name"].startswith("constant"))
    result = score_case(case, tmp_path)
    notes = [one for one in result.defects if "depends on the order" in one.found]
    assert [one.severity for one in notes] == ["warning", "warning"]
    assert all("R@1 0.0000 to 1.0000" in one.expected for one in notes)
    chance = score_case(case, tmp_path, ties="expected").evaluations[0]
    assert chance.score("t2i_r1").value == pytest.approx(1 / 12)
    assert chance.score("i2t_r1").value == pytest.approx(1 / 12)


@pytest.mark.parametrize("name", ["not a number 20 x 5", "all NaN 20 x 5"])
def test_nan_is_an_error_with_its_first_place(name, tmp_path):
    case = next(one for one in CASES if one["name"] == name)
    result = score_case(case, tmp_path)
    place = "row 3, column 15" if name.startswith("not") else "row 0, column 0"
    assert result.evaluations == ()
    assert place in result.defects[0].found


MATRIX = np.random.default_rng(3).normal(size=(10, 50))


def scores_of(path, **options):
    result = score({"results": [path]}, **options)
    assert result.evaluations, [str(one) for one in result.defects]
    return {one.metric: one.value for one in result.evaluations[0].scores}


def test_a_matrix_reads_alike_in_every_layout(tmp_path):
    path = tmp_path / "a.npy"
    np.save(path, MATRIX)
    wanted = scores_of(path)
    assert wanted["i2t_r1"] < 1
    layouts = [MATRIX.T, np.asfortranarray(MATRIX), MATRIX.astype(">f8"), MATRIX.T.copy("F")]
    for layout in layouts:
        np.save(path, layout)
        assert scores_of(path) == wanted
    np.save(path, MATRIX.astype(np.float16))
    assert scores_of(path) == pytest.approx(wanted, rel=0.2)


@pytest.mark.parametrize(
    "names", [("images", "captions"), ("image_features", "text_features"), ("img_embs", "cap_embs")]
)
def test_embeddings_are_read_under_all_names_also_repeated_for_each_caption(names, tmp_path):
    generator = np.random.default_rng(1)
    images, captions = generator.integers(-9, 9, (6, 4)), generator.integers(-9, 9, (30, 4))
    matrix, path = tmp_path / "matrix.npy", tmp_path / "both.npz"
    np.save(matrix, (images @ captions.T).astype(np.float64))
    for one in (images, np.repeat(images, 5, axis=0)):
        pair = zip(names, (one.astype(np.float32), captions.astype(np.float32)), strict=True)
        np.savez(path, **dict(pair))
        assert scores_of(path) == scores_of(matrix)


def test_normalised_embeddings_are_compared_by_their_cosine(tmp_path):
    generator = np.random.default_rng(2)
    images, captions = generator.normal(size=(6, 4)), generator.normal(size=(30, 4))
    path, matrix = tmp_path / "both.npz", tmp_path / "cosines.npy"
    np.savez(path, images=images, captions=captions)
    lengths = [np.linalg.norm(one, axis=1, keepdims=True) for one in (images, captions)]
    np.save(matrix, (images / lengths[0]) @ (captions / lengths[1]).T)
    assert scores_of(path, normalise=True) == pytest.approx(scores_of(matrix))
    warned = score({"results": [path]}).defects[0]
    assert warned.found.startswith("The embeddings have lengths from ")
    with pytest.raises(UsageError, match="Only embeddings can be normalised"):
        score({"results": [matrix]}, normalise=True)


def test_a_square_matrix_has_images_in_its_rows_unless_told_otherwise(tmp_path):
    path = tmp_path / "square.npy"
    np.save(path, MATRIX[:, :10])
    found = scores_of(path)
    np.save(path, MATRIX[:, :10].T)
    assert scores_of(path, rows="captions") == found
    said = score({"results": [path]}).defects[0]
    assert said.found == "The matrix is square; its rows are read as images."


def coco(images=10, captions=5):
    return {
        "images": [{"id": 100 - i, "file_name": f"{i}.jpg"} for i in range(images)],
        "annotations": [
            {"id": j, "image_id": 100 - j % images, "caption": f"caption {j}"}
            for j in range(images * captions)
        ],
    }


def test_annotations_give_ids_and_either_order_of_captions(tmp_path):
    references, path = tmp_path / "coco.json", tmp_path / "a.npy"
    references.write_text(json.dumps(coco()))
    np.save(path, MATRIX)
    inputs = {"results": [path], "references": [references]}
    grouped = score(inputs).evaluations[0]
    assert grouped.items.ids[:2] == ("image 100", "image 99")
    assert grouped.items.ids[10:12] == ("caption 100#0", "caption 100#1")
    assert grouped.items.columns["rank"].tolist() == scored_ranks({"results": [path]})
    np.save(path, MATRIX.reshape(10, 10, 5).transpose(0, 2, 1).reshape(10, 50))
    listed = score(inputs, captions_order="file").evaluations[0]
    assert listed.items.columns["rank"][:10].tolist() == grouped.items.columns["rank"][:10].tolist()


def scored_ranks(inputs):
    return score(inputs).evaluations[0].items.columns["rank"].tolist()


def test_more_captions_in_the_annotations_than_submitted_are_the_first_five(tmp_path):
    data = coco(10, 5)
    data["annotations"].insert(0, {"id": 99, "image_id": 100, "caption": "first of seven"})
    data["annotations"].append({"id": 98, "image_id": 100, "caption": "last of seven"})
    references, path = tmp_path / "coco.json", tmp_path / "a.npy"
    references.write_text(json.dumps(data))
    np.save(path, MATRIX)
    result = score({"results": [path], "references": [references]})
    assert "The captions are read as the first five of each image." in [
        one.found for one in result.defects
    ]
    assert len(result.evaluations[0].items) == 60


def test_fewer_captions_of_each_image_can_be_used(tmp_path):
    path, first = tmp_path / "a.npy", tmp_path / "first.npy"
    np.save(path, MATRIX)
    np.save(first, np.ascontiguousarray(MATRIX[:, ::5]))
    assert scores_of(path, captions_used="one") == scores_of(first)
    assert scores_of(path, captions_used="five") == scores_of(path)


@pytest.mark.parametrize(
    ("array", "options", "found"),
    [
        (np.zeros((5, 25), bool), {}, "The array has the type |b1."),
        (np.zeros((4, 10)), {}, "The file has 4 rows and 10 columns."),
        (np.zeros((4, 20)), {"captions_per_image": 3}, "The file has 4 rows and 20 columns."),
        (np.zeros((4, 20)), {"folds": "5"}, "4 images cannot be divided into five folds."),
        (np.zeros((0, 5)), {}, "The array has the shape (0, 5)."),
        (np.zeros(5), {}, "The array has the shape (5)."),
        (np.array([[None, 1]]), {}, "The file holds pickled objects, which are never loaded."),
        (np.zeros((2, 4), complex), {}, "The array has the type <c16."),
    ],
)
def test_arrays_that_cannot_be_scored_are_refused_with_the_reason(array, options, found, tmp_path):
    path = tmp_path / "wrong.npy"
    np.save(path, array, allow_pickle=True)
    result = score({"results": [path]}, **options)
    assert result.evaluations == ()
    assert found in [one.found for one in result.defects]


def test_all_captions_of_coco_without_annotations_are_explained(tmp_path):
    path = tmp_path / "coco.npy"
    np.save(path, np.zeros((7, 25010), np.float16))
    (defect,) = score({"results": [path]}).defects
    assert defect.expected.startswith("COCO 5K has 25,010 captions; VSE++ uses the first five")


def test_a_pickled_dictionary_is_never_loaded(tmp_path):
    path = tmp_path / "sims.npy"
    np.save(path, {"npts": 5, "sims": [1]}, allow_pickle=True)
    (defect,) = score({"results": [path]}).defects
    assert defect.hint.startswith("Save the array alone: numpy.save(FILE, ")


@pytest.mark.parametrize(
    ("arrays", "found"),
    [
        ({"a": np.zeros((2, 2))}, "The file holds these arrays: a."),
        (
            {"images": np.ones((2, 3)), "captions": np.ones((10, 4))},
            "Images have 3 dimensions, captions 4.",
        ),
        (
            {"images": np.ones((10, 3)), "captions": np.ones((2, 3))},
            "The file has 10 images and 2 captions.",
        ),
        (
            {"images": np.full((2, 3), np.nan), "captions": np.ones((2, 3))},
            "6 numbers are NaN, first in row 0, column 0 (counted from 0).",
        ),
        ({"images": np.ones(3), "captions": np.ones((2, 3))}, "The array has the shape (3)."),
    ],
)
def test_embeddings_that_cannot_be_scored_are_refused_with_the_reason(arrays, found, tmp_path):
    path = tmp_path / "wrong.npz"
    np.savez(path, **arrays)
    result = score({"results": [path]})
    assert result.evaluations == ()
    assert found in [one.found for one in result.defects]


@pytest.mark.parametrize(
    ("pairs", "found"),
    [
        ([], "The list is empty."),
        ([0, -1, "x"], "The entry is -1."),
        ([0, 7], "Caption 1 belongs to image 7, but there are 3 images."),
    ],
)
def test_pairs_that_fit_no_matrix_are_refused(pairs, found, tmp_path):
    references, path = tmp_path / "pairs.json", tmp_path / "a.npy"
    references.write_text(json.dumps({"image_of_caption": pairs}))
    np.save(path, np.zeros((3, 2)))
    result = score({"results": [path], "references": [references]})
    assert found in [one.found for one in result.defects]


def test_embeddings_without_their_captions_name_the_missing_file(tmp_path):
    path = tmp_path / "mine.images.npy"
    np.save(path, np.ones((2, 3)))
    (defect,) = score({"results": [path]}).defects
    assert defect.found == "The embeddings of the captions are missing: mine.captions.npy."


def test_captions_listed_number_by_number_are_noticed_with_both_numbers(tmp_path):
    path = tmp_path / "turned.npy"
    matrix = np.tile(np.eye(8), 5) + 0.01 * np.random.default_rng(0).normal(size=(8, 40))
    np.save(path, matrix)
    (warned,) = [
        one for one in score({"results": [path]}).defects if "number by number" in one.found
    ]
    assert "would be 1.0000, not 0.2000" in warned.found


def test_infinite_similarities_are_ranked_with_a_note(tmp_path):
    path = tmp_path / "a.npy"
    matrix = MATRIX.copy()
    matrix[0, 0], matrix[1, 9] = np.inf, -np.inf
    np.save(path, matrix)
    result = score({"results": [path]})
    assert result.defects[0].found == "2 numbers are infinite."
    assert result.evaluations[0].items.columns["rank"][0] == 1


def test_the_rankings_are_written_for_trec_eval_with_the_same_ranks(tmp_path):
    import jurydesk

    path, folder = tmp_path / "a.npy", tmp_path / "trec"
    np.save(path, MATRIX)
    evaluation = score({"results": [path]}, export_trec=str(folder)).evaluations[0]
    for direction in DIRECTIONS:
        result = jurydesk.score(
            "keyword-spotting",
            relevance=folder / f"a.{direction}.qrels",
            results=folder / f"a.{direction}.run",
            compat="trec10",
            measures="success_1,success_5,success_10",
        )
        scores = result["a.i2t" if direction == "i2t" else "a.t2i"].scores
        for k in (1, 5, 10):
            assert scores[f"success_{k}"] == evaluation.score(f"{direction}_r{k}").value
        mrr = evaluation.score(f"{direction}_mrr").value
        assert scores["recip_rank"] == pytest.approx(mrr, rel=1e-12)


def test_the_evidence_shows_the_best_candidates_and_marks_the_correct_ones(tmp_path):
    references, path = tmp_path / "coco.json", tmp_path / "a.npy"
    references.write_text(json.dumps(coco()))
    np.save(path, MATRIX)
    inputs = {"results": [path], "references": [references]}
    items = score(inputs).evaluations[0].items
    image, caption = items.show(0), items.show(10)
    order = np.argsort(-MATRIX[0])
    assert [one.similarity for one in image.candidates] == pytest.approx(
        MATRIX[0][order[:10]].tolist(), rel=1e-6
    )
    assert [one.is_own for one in image.candidates] == [place < 5 for place in order[:10]]
    assert (caption.text, caption.own, len(caption.candidates)) == ("caption 0", ("image 100",), 10)
    places = items.columns["rank"]
    first = [one.is_own for one in image.candidates]
    assert (first.index(True) + 1 if True in first else 11) == min(places[0], 11)


@pytest.mark.parametrize("ties", ORDERS)
def test_folds_have_their_own_galleries_in_every_order_of_ties(ties, tmp_path):
    path, part = tmp_path / "a.npy", tmp_path / "part.npy"
    matrix = np.round(MATRIX)
    np.save(path, matrix)
    folds = score({"results": [path]}, folds="5", ties=ties).evaluations[0]
    means = {one.metric: [] for one in folds.scores}
    for fold in range(5):
        np.save(part, matrix[2 * fold : 2 * fold + 2, 10 * fold : 10 * fold + 10])
        for name, value in scores_of(part, ties=ties).items():
            means[name].append(value)
    for one in folds.scores:
        assert one.value == pytest.approx(np.mean(means[one.metric]), rel=1e-12), one.metric


@pytest.mark.parametrize(
    ("owner", "images", "per_image"), [([0, 10], 10, 0), ([-1], 10, 0), ([0], -1, 0), ([0], 10, -5)]
)
def test_facts_of_a_kit_with_impossible_numbers_are_refused(owner, images, per_image):
    facts = {
        "named_by": "a.json", "images": images, "captions_per_image": per_image,
        "image_of_caption": owner,
    }  # fmt: skip
    with pytest.raises(ValueError, match=r"negative|no image"):
        redacted_references(facts)
    good = {**facts, "images": 10, "captions_per_image": 0, "image_of_caption": [0, 9]}
    assert redacted_references(good).image_of_caption.tolist() == [0, 9]


def test_more_than_five_captions_of_an_image_are_noted_with_both_sums(tmp_path):
    references, path = tmp_path / "pairs.json", tmp_path / "a.npy"
    owner = [0] * 5 + [1] * 5 + [2] * 6
    references.write_text(json.dumps({"image_of_caption": owner}))
    matrix = np.full((3, 16), 0.1)
    matrix[0, :5] = matrix[1, 5:10] = 1.0
    matrix[2, 10:15], matrix[2, 15] = 0.05, 2.0
    np.save(path, matrix)
    result = score({"results": [path], "references": [references]})
    # All: 3 x 100 for images; 11 of 16 captions first. Five: 3 x 2/3; 10 of 15 captions first.
    assert result.evaluations[0].score("rsum").value == pytest.approx(568.75)
    (said,) = [one.found for one in result.defects if "more than five" in one.found]
    assert said.endswith("the sum of recalls is 466.7, with all of them 568.8.")
    five = score({"results": [path], "references": [references]}, captions_used="five")
    assert five.evaluations[0].score("rsum").value == pytest.approx(1400 / 3)
    assert not [one for one in five.defects if "more than five" in one.found]
