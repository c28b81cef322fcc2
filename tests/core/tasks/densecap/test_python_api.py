"""Tests of the Python API against recorded results of DenseCap's Lua evaluator."""

import json

import numpy as np
import pytest

from jurydesk.core.tasks.densecap.python_api import DenseCaptioningEvaluator
from support.oracles import oracle

CASES = sorted(path.stem for path in oracle("densecap").glob("*.json"))
PROFILES = {"published": "official", "corrected": "corrected"}
BOX = [[10.0, 10.0, 4.0, 4.0]]


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("name", CASES)
def test_all_numbers_equal_the_original(name, profile):
    case = json.loads(oracle(f"densecap/{name}.json").read_text(encoding="utf-8"))
    evaluator = DenseCaptioningEvaluator(profile)
    for image in case["images"]:
        found = image["detections"]
        evaluator.add_result(
            np.array(found["logprobs"]),
            np.array(found["boxes"]),
            found["captions"],
            np.array(image["gt_boxes"]),
            image["gt_captions"],
        )
    numbers, expected = evaluator.evaluate(), case["expected"][PROFILES[profile]]
    assert numbers["ap"] == expected["ap"]
    assert numbers["det"] == expected["det"]
    assert numbers["map"] == pytest.approx(expected["map"], abs=1e-12)
    assert numbers["detmap"] == pytest.approx(expected["detmap"], abs=1e-12)


def test_only_the_first_column_of_log_probabilities_counts():
    numbers = []
    for scores in ([-1.0, -2.0], [[-1.0, 9.0], [-2.0, 99.0]]):
        evaluator = DenseCaptioningEvaluator()
        evaluator.add_result(scores, BOX + BOX, ["a kite", "a dog"], BOX, ["a kite"])
        numbers.append(evaluator.evaluate())
    assert numbers[0] == numbers[1]
    assert numbers[0]["map"] == pytest.approx(1)


def test_the_caller_may_reuse_its_arrays():
    scores, boxes = np.zeros(1, np.float32), np.array(BOX, np.float32)
    captions, evaluator = ["a kite"], DenseCaptioningEvaluator()
    evaluator.add_result(scores, boxes, captions, boxes, captions)
    scores[:], boxes[:], captions[:] = 9, 900, ["a dog"]
    evaluator.add_result([1.0], boxes, captions, BOX, ["a kite"])
    numbers = evaluator.evaluate()
    # The first image is right, the second is a false detection above it: AP 1/2 over 50 levels.
    assert numbers["det"]["ov0.7"] == pytest.approx(0.5 * 0.5)


def test_no_images_score_zero():
    assert DenseCaptioningEvaluator().evaluate()["map"] == 0


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (([0.0], BOX, [], BOX, ["a"]), "1 boxes, but 0 captions"),
        (([0.0], BOX, ["a"], BOX, []), "1 boxes, but 0 captions"),
        (([np.nan], BOX, ["a"], BOX, ["a"]), "a log-probability is not finite"),
        (([0.0, 1.0], BOX, ["a"], BOX, ["a"]), "2 log-probabilities, but 1 boxes"),
        (([0.0], [], [], BOX, ["a"]), "1 log-probabilities, but 0 boxes"),
        ((0.0, BOX + BOX, ["a", "b"], BOX, ["a"]), "1 log-probabilities, but 2 boxes"),
        (([0.0], [[1, 1, -1, 1]], ["a"], BOX, ["a"]), "a box is not finite"),
        (([0.0], [[np.inf, 1, 1, 1]], ["a"], BOX, ["a"]), "a box is not finite"),
    ],
)
def test_inconsistent_arrays_are_refused(arguments, sentence):
    with pytest.raises(ValueError, match=sentence):
        DenseCaptioningEvaluator().add_result(*arguments)
