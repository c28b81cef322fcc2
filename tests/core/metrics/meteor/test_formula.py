import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jurydesk.core.metrics.meteor.config import TASKS
from jurydesk.core.metrics.meteor.formula import corpus_score, score_parts, scores
from support.oracles import oracle


def recorded_rows(config: str) -> np.ndarray:
    with oracle("meteor/own.jsonl").open(encoding="utf-8", newline="\n") as file:
        records = [json.loads(line) for line in file]
    return np.array([record["stats"] for record in records if record["config"] == config], float)


@pytest.mark.parametrize("task", TASKS)
def test_a_column_of_scores_equals_the_scores_one_by_one(task: str):
    rows = recorded_rows("coco")
    weights = TASKS[task]
    assert scores(rows, weights).tolist() == [
        score_parts(row, weights).score for row in rows.tolist()
    ]


@given(st.lists(st.integers(0, 40), min_size=23, max_size=23), st.sampled_from(sorted(TASKS)))
def test_counts_have_the_same_score_by_rows_and_by_columns(counts: list[int], task: str):
    counts[0] += counts[2]
    counts[1] += counts[3]
    rows = np.array([counts], float)
    assert scores(rows, TASKS[task]).tolist() == [score_parts(rows[0].tolist(), TASKS[task]).score]


def test_no_match_scores_zero():
    row = [5.0, 4.0, 2.0, 1.0, *[0.0] * 19]
    found = score_parts(row, TASKS["rank"])
    assert (found.precision, found.recall, found.fmean, found.score) == (0, 0, 0, 0)
    assert np.isnan(found.fragmentation)


def test_a_corpus_score_sums_the_counts_without_the_chunks_of_perfect_segments():
    # meteor-1.5.jar, -stdio -l en -norm: EVAL of these two blocks.
    rows = np.array(
        [
            [4, 3, 2, 1, 1, 1, 1, 1, *[0] * 12, 2, 2, 2],
            [3, 3, 1, 1, 2, 2, 1, 1, *[0] * 12, 1, 3, 3],
        ],
        float,
    )
    assert scores(rows, TASKS["rank"]).tolist() == [0.22377622377622375, 1.0]
    assert corpus_score(rows, TASKS["rank"]) == 0.38905645449806625
