"""Remarks on columns: raters, and models of random numbers."""

from __future__ import annotations

from types import SimpleNamespace

from jurydesk.app.pages.leaderboard.leaderboard_model import random_remarks, rating_remarks
from jurydesk.core.tasks.fusionbrain.fusionbrain_options import FusionBrainOptions


def people(*done: int) -> SimpleNamespace:
    """Return the findings of raters with these numbers of answers."""
    return SimpleNamespace(
        raters=[SimpleNamespace(done=number) for number in done],
        metrics=[SimpleNamespace(name="focused")],
        outcomes=[SimpleNamespace(question="focused", scores=[SimpleNamespace(n=120)])],
        entry=("story", "stories"),
    )


def test_one_rater_is_not_reliable():
    remark = rating_remarks(people(120, 0))["focused"]
    assert (remark.short, remark.is_reliable) == ("1 rater", False)
    assert remark.sentence == "Not reliable: only 1 rater judged 120 stories of each system."


def test_several_raters_and_their_entries_are_counted():
    remark = rating_remarks(people(60, 60, 60))["focused"]
    assert (remark.short, remark.is_reliable) == ("3 raters, 120", True)


def test_without_ratings_there_is_no_remark():
    assert rating_remarks(None) == {}


def test_random_models_make_their_metrics_and_combinations_unreliable():
    found = random_remarks(FusionBrainOptions(weights=("inception=random-numbers",)))
    assert "generation_fid" in found
    assert "integral" in found
    assert "captioning_clip" not in found
    assert not any(remark.is_reliable for remark in found.values())


def test_real_models_and_other_competitions_have_no_remark():
    assert random_remarks(FusionBrainOptions()) == {}
    assert random_remarks(object()) == {}
    assert random_remarks(None) == {}
