from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from jurydesk.core.analysis.comparison.pairwise import MetricComparison
from jurydesk.core.analysis.stamped_inputs import compare_by_metric, compare_requested
from jurydesk.core.desk import Desk, DeskError
from jurydesk.core.execution.engine import score_submissions
from jurydesk.core.execution.run import Cancelled, CancelToken, Run
from jurydesk.core.model.evaluation import FloatArray, Units
from jurydesk.core.model.input_file import files_by_role
from jurydesk.core.statistics.inference import Inference
from support import toy

TRUTH = {f"q{number}": float(number) for number in range(30)}


def guesses(options: float, seed: int) -> dict[str, float]:
    rng = np.random.default_rng(seed)
    return {key: value + float(rng.normal(0, options)) for key, value in TRUTH.items()}


def distances(
    truth: Mapping[str, float], given: Mapping[str, float], options: toy.Options, run: Run
) -> Units:
    """Return the root mean square, as a score of the whole set only."""
    squares = np.array([(given[key] - truth[key]) ** 2 for key in truth])

    def scores(counts: FloatArray) -> Mapping[str, float]:
        return {"rmse": float(np.sqrt(counts @ squares / counts.sum()))}

    return Units(tuple(truth), scores, "pictures")


TASK = replace(toy.TASK, scoring=replace(toy.TASK.scoring, on_request={"rmse": distances}))


@pytest.fixture
def desk(tmp_path: Path):
    inputs = {
        "truth": [toy.write(tmp_path / "truth.txt", TRUTH)],
        "guesses": [
            toy.write(tmp_path / "near.txt", guesses(0.1, 1)),
            toy.write(tmp_path / "far.txt", guesses(0.5, 2)),
        ],
    }
    result = score_submissions(TASK, files_by_role(inputs), TASK.scoring.options(), Run())
    with Desk.create(tmp_path / "toy.jurydesk") as made:
        for one in result.evaluations:
            made.add(one)
        made.merge_inputs(result.sources, "guesses")
        yield made


def compared(desk: Desk, *names: str, run: Run | None = None) -> MetricComparison:
    found = {one.system: one for one in desk.evaluations()}
    pair = (found[names[0]], found[names[1]])
    return compare_requested(desk, TASK, toy.ERROR, pair, run or Run(), resamples=50)


def test_two_systems_are_compared_from_the_files_that_were_scored(desk: Desk) -> None:
    found = compared(desk, "near", "far")
    assert (found.unit, found.n, found.tests[0].rounds) == ("pictures", 30, 50)
    assert found.difference == found.first.value - found.second.value < 0
    assert found.p < 0.05
    assert found.interval is not None
    assert found.interval.high < 0


def test_the_order_of_the_systems_changes_only_the_sign(desk: Desk) -> None:
    there, back = compared(desk, "near", "far"), compared(desk, "far", "near")
    assert back.p == there.p
    assert back.difference == -there.difference
    assert there.interval is not None
    assert back.interval is not None
    assert (back.interval.low, back.interval.high) == (-there.interval.high, -there.interval.low)


def test_a_changed_file_is_reported(desk: Desk, tmp_path: Path) -> None:
    (tmp_path / "near.txt").write_text("a 1\n")
    with pytest.raises(DeskError, match=r"The inputs differ from those scored: near\.txt"):
        compared(desk, "near", "far")


def test_a_comparison_can_be_cancelled(desk: Desk) -> None:
    cancel = CancelToken()
    cancel.cancel()
    with pytest.raises(Cancelled):
        compared(desk, "near", "far", run=Run(cancel=cancel))


def test_a_metric_of_the_whole_set_is_compared_from_the_files_on_request(desk: Desk) -> None:
    known = {one.system: one for one in desk.evaluations()}
    pair = (known["near"], known["far"])
    asked = (desk, TASK, toy.ERROR, pair, Run())
    found, plain = (compare_by_metric(*asked, number, Inference()) for number in (50, None))
    assert (found.unit, found.tests) == ("pictures", compared(desk, "near", "far").tests)
    assert plain.unit != "pictures"
