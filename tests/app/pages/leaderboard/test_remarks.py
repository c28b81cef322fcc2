"""Remarks on columns: raters, and models of random numbers."""

from __future__ import annotations

from types import SimpleNamespace

from jurydesk.app.pages.leaderboard.leaderboard_model import (
    parenthesized,
    random_remarks,
    rating_remarks,
    with_doubt,
)
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


def session_of(options: object, findings: object = None) -> SimpleNamespace:
    return SimpleNamespace(options=options, study_findings=findings)


def test_a_sentence_on_an_unreliable_metric_says_why_and_its_number_is_in_parentheses():
    random = session_of(FusionBrainOptions(weights=("inception=random-numbers",)))
    said = with_doubt("FID 3.1 over 4 items.", "generation_fid", random)
    assert said.startswith("FID 3.1 over 4 items. Not reliable: random numbers replace the models.")
    assert parenthesized("3.1", "generation_fid", random) == "(3.1)"
    one = session_of(None, people(120))
    assert "only 1 rater" in with_doubt("Focused 3.2.", "focused", one)


def test_a_sentence_on_a_reliable_metric_stays_as_it_is():
    random = session_of(FusionBrainOptions(weights=("inception=random-numbers",)))
    assert with_doubt("METEOR 0.4.", "vqa_meteor", random) == "METEOR 0.4."
    assert parenthesized("0.4", "vqa_meteor", random) == "0.4"
    several = session_of(None, people(60, 60))
    assert with_doubt("Focused 3.2.", "focused", several) == "Focused 3.2."
