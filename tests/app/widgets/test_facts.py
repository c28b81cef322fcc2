"""What stands below the board says how a number is made."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from app.widgets.facts import system_facts
from core.model import Interval, MetricInfo, Score

NOUN = ("detection", "detections")
T_INTERVAL = Interval(0.4, 0.6, 0.95, "bootstrap t, 200 resamples of images, no bias")


def row(score: Score):
    summary = SimpleNamespace(scores=(score,), profile="published", created="")
    return SimpleNamespace(summary=summary)


def metric(aggregate):
    scale = (0.0, 1.0)
    return MetricInfo("map", "mAP", "A number.", scale, "higher", "Somebody", aggregate=aggregate)


@pytest.mark.parametrize(
    ("aggregate", "words"),
    [("mean", "Averaged over"), ("sum", "Summed over"), ("own", "Made of")],
)
def test_only_a_mean_is_averaged_over_its_items(aggregate, words):
    facts = system_facts(row(Score("map", 0.5, 1204)), metric(aggregate), NOUN)
    assert facts[words] == "1,204 detections"
    assert len({"Averaged over", "Summed over", "Made of"} & set(facts)) == 1


def test_an_interval_says_what_was_resampled():
    facts = system_facts(row(Score("map", 0.5, 12, interval=T_INTERVAL)), metric("own"), NOUN)
    assert facts["Interval by"] == "bootstrap t, 200 resamples of images, no bias"
    without = system_facts(row(Score("map", 0.5, 12)), metric("own"), NOUN)
    assert "Interval by" not in without
