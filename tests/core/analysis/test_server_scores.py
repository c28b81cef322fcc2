from __future__ import annotations

import json
import math
from decimal import Decimal

import pytest

from jurydesk.core.analysis.server_scores import (
    ServerScore,
    match_metrics,
    parse_columns,
    round_as,
    server_scores,
)
from jurydesk.core.desk.summary import Summary
from jurydesk.core.model.evaluation import MetricInfo, Score
from jurydesk.core.model.platform_entry import PlatformEntry
from support.oracles import golden

MAP = MetricInfo("map", "Mean AP", "", (0.0, 1.0), "higher", "")
P5 = MetricInfo("P_5", "P@5", "", (0.0, 1.0), "higher", "")


def summary(system: str, value: float, server: dict[str, str]) -> Summary:
    scores = (Score("map", value, 3), Score("P_5", 0.5, 3))
    return Summary(1, system, "published", scores, "", False, "", 3, server=server)


def one_score(text: str, value: float) -> ServerScore:
    (found,) = server_scores([summary("a", value, {"MAP": text})], [MAP, P5])
    return found


def test_rounding_is_that_of_codabench_s_server() -> None:
    cases = json.loads(golden("platforms/codabench_scores.json").read_text("utf-8"))
    compared = 0
    for case in cases:
        known = case.get("stored")
        for name, stored in known.items() if isinstance(known, dict) else ():
            sent = json.loads(case["scores_json"]).get(name) if "scores_json" in case else None
            if isinstance(sent, int | float) and math.isfinite(sent) and "E+" not in str(stored):
                try:
                    wanted = Decimal(str(stored))
                except ArithmeticError:
                    continue  # beyond what the recording database keeps
                if -wanted.as_tuple().exponent == 10:
                    assert round_as(float(sent), 10) == wanted, case["name"]
                    compared += 1
    assert compared >= 10


@pytest.mark.parametrize(
    ("text", "value", "difference"),
    [
        ("0.3333333333", 1 / 3, "0"),
        ("0E-10", 0.00000000005, "0"),
        ("0.3333333334", 1 / 3, "+0.0000000001"),
        ("66.33", 0.6632876382170274, "0"),
        ("0.25", 0.5, "-0.25"),
        ("0.5", math.nan, ""),
    ],
)
def test_numbers_are_compared_at_the_decimals_that_the_server_keeps(
    text: str, value: float, difference: str
) -> None:
    assert one_score(text, value).difference_text == difference


@pytest.mark.parametrize("column", ["MAP", "map", "Mean AP", "test.map", "map.mean"])
def test_a_column_is_matched_by_name_or_title(column: str) -> None:
    assert match_metrics([column], [MAP, P5], {}) == {column: "map"}


def test_a_column_of_another_name_can_be_chosen() -> None:
    chosen = parse_columns(["score=of=map=map"])
    assert chosen == {"score=of=map": "map"}
    assert match_metrics(["score=of=map", "other"], [MAP], chosen) == {"score=of=map": "map"}
    with pytest.raises(ValueError, match="MAP"):
        parse_columns(["MAP"])


def test_a_column_has_one_scale_for_all_systems() -> None:
    found = server_scores(
        [summary("a", 0.004, {"MAP": "0.40"}), summary("b", 0.6, {"MAP": "60.00"})], [MAP]
    )
    assert [(one.system, one.scale, one.difference_text) for one in found] == [
        ("a", 100, "0"),
        ("b", 100, "0"),
    ]


@pytest.mark.parametrize("text", ["", "n/a", "NaN", "Infinity", "1e999999999", "1e-999999999"])
def test_what_is_no_number_is_not_compared(text: str) -> None:
    assert server_scores([summary("a", 0.5, {"MAP": text})], [MAP]) == []


def test_of_two_tasks_with_one_title_that_of_the_phase_is_meant() -> None:
    server = {"Dev(1)-MAP": "1", "Test(2)-MAP": "2", "Dev(1)-P@5": "3"}
    assert PlatformEntry("Codabench", "1", phase="Test", server=server).numbers == {
        "Dev(1)-MAP": "1",
        "MAP": "2",
        "P@5": "3",
    }
    assert "MAP" not in PlatformEntry("Codabench", "1", phase="Final", server=server).numbers


def test_scores_in_full_precision_are_preferred() -> None:
    entry = PlatformEntry("CodaLab", "1", server={"MAP": "66.33"}, full={"map": "66.3287638217"})
    (found,) = server_scores([summary("a", 0.663287638217, entry.numbers)], [MAP])
    assert (found.column, found.decimals, found.difference_text) == ("map", 10, "0")
