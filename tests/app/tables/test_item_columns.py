"""An evaluation's items as a table, and the sentence about them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from jurydesk.app.tables.item_columns import (
    available_metrics,
    default_columns,
    headline_item_metric,
    input_folders,
    item_columns,
    item_title,
    summarize_metric,
)
from jurydesk.core.model.evaluation import Evaluation, Interval, ItemTable, MetricInfo, Score
from support.windows.evaluations import AP, PRECISION_AT_5, TASK, retrieval

METRICS = (PRECISION_AT_5, AP)


def evaluation(values: list[float], info: MetricInfo = AP) -> Evaluation:
    column = np.array(values)
    items = ItemTable(tuple(f"q{i}" for i in range(len(values))), {info.name: column})
    mean = float(np.nanmean(column)) if (~np.isnan(column)).any() else float("nan")
    return Evaluation("toy", "a", "published", (Score(info.name, mean, len(values)),), items)


@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        ([0.1, 0.5, 0.9], "Mean over 3 queries; 1 query is below 0.2."),
        ([0.1, 0.1, 0.5, 0.9], "Mean over 4 queries; 2 queries are below 0.2."),
        ([0.1, 0.1, 0.9], "Mean over 3 queries."),  # most are: the range says nothing
        (
            [0.5, float("nan")],
            "Mean over 1 query; none is below 0.2, 1 query undefined.",
        ),
        ([float("nan")], "AP is defined for none of the 1 query."),
    ],
)
def test_the_finding_states_mean_poor_and_undefined_items(
    values: list[float], sentence: str
) -> None:
    assert summarize_metric(evaluation(values), AP, ("query", "queries")) == sentence


def test_poor_items_are_the_high_ones_where_lower_is_better() -> None:
    info = replace(AP, better="lower", title="Error")
    said = summarize_metric(evaluation([0.1, 0.9], info), info, ("item", "items"))
    assert said == "Mean over 2 items; 1 item is above 0.8."


def test_a_metric_without_bounds_has_no_poor_items() -> None:
    info = replace(AP, range=(0.0, float("inf")), aggregate="own", title="FID", decimals=2)
    said = summarize_metric(evaluation([1.0, 2.0], info), info, ("image", "images"))
    assert said == "Over 2 images."


@pytest.mark.parametrize(("n", "sign"), [(50, ""), (5, "°")])
def test_the_interval_of_a_score_is_stated_with_the_sign_of_few_groups(n: int, sign: str) -> None:
    made = evaluation([0.5] * n)
    method = f"percentile bootstrap, 1000 resamples of {n} writers"
    interval = Interval(0.41234, 0.6, 0.95, method)
    scored = replace(made, scores=(replace(made.scores[0], interval=interval),))
    said = summarize_metric(scored, AP, ("query", "queries"))
    ends = f"95 % interval 0.4123 to 0.6000{sign}"
    assert said == f"Mean over {n} queries, {ends}; none is below 0.2."
    doubtful = summarize_metric(scored, replace(AP, doubt="Not reliable."), ("query", "queries"))
    assert doubtful == f"Mean over {n} queries; none is below 0.2. Not reliable."


def test_columns_are_the_ids_the_headline_metric_and_the_others() -> None:
    columns = item_columns(retrieval(5), METRICS, "query")
    assert [column.title for column in columns] == ["Query", "AP", "P@5", "Num rel"]
    assert [column.name for column in columns[1:]] == ["ap", "precAt5", "num_rel"]
    assert columns[1].tooltip.startswith("Sum of the precision at each hit")
    assert columns[1].tooltip.endswith("In files and in the search line: ap")
    assert columns[3].text(0) == "8"
    assert default_columns(columns, METRICS) == {"ap", "precAt5"}


def test_with_one_item_a_metric_is_not_called_a_mean() -> None:
    assert item_title(replace(AP, title="Mean average precision")) == "Average precision"
    assert item_title(replace(AP, title="Mean error", aggregate="own")) == "Mean error"
    assert item_title(replace(AP, title="nDCG at 5")) == "nDCG at 5"


def test_the_headline_is_the_metric_that_ranks() -> None:
    assert headline_item_metric(retrieval(5), METRICS) is AP
    assert headline_item_metric(retrieval(5), (PRECISION_AT_5,)) is PRECISION_AT_5
    assert headline_item_metric(retrieval(5), ()) is None


def test_metrics_are_the_declared_ones_and_the_scored_ones_of_a_family() -> None:
    family = replace(AP, name="P_7")
    task = replace(
        TASK,
        scoring=replace(TASK.scoring, metric_named=lambda name: family if name == "P_7" else None),
    )
    scored = replace(retrieval(5), scores=(Score("ap", 0.5, 5), Score("P_7", 0.1, 5)))
    assert available_metrics(task, scored) == [*TASK.scoring.metrics, family]


def test_only_existing_folders_are_passed_to_an_inspector(tmp_path: Path) -> None:
    given = {"images": [tmp_path, tmp_path / "gone"], "results": [tmp_path]}
    assert input_folders(TASK, given) == {"images": [tmp_path]}
    assert input_folders(TASK, {"images": [tmp_path / "gone"]}) == {}
