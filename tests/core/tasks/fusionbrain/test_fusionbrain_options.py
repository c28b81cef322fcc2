"""Tests of hidden scores and models in options."""

import pytest

from jurydesk.core.model.evaluation import UsageError
from jurydesk.core.tasks.fusionbrain.fusionbrain_options import FusionBrainOptions


def test_hidden_scores_are_for_all_systems_or_for_one():
    options = FusionBrainOptions(hidden=("hidden1=0.5", "mine:hidden1=0.75", "mine:hidden2=1"))
    assert options.hidden_scores("other") == {"hidden1": 0.5}
    assert options.hidden_scores("mine") == {"hidden1": 0.75, "hidden2": 1.0}


def test_a_name_can_contain_the_separators():
    options = FusionBrainOptions().with_hidden("a:b=c", "hidden3", 0.25)
    assert FusionBrainOptions(hidden=options).hidden_scores("a:b=c") == {"hidden3": 0.25}


def test_a_score_can_be_changed_and_removed():
    options = FusionBrainOptions(hidden=("hidden1=0.5", "mine:hidden1=0.75"))
    assert options.with_hidden("mine", "hidden1", 0.1) == ("hidden1=0.5", "mine:hidden1=0.1")
    assert options.with_hidden("mine", "hidden1", None) == ("hidden1=0.5",)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("hidden1", '--hidden "hidden1": write NAME=SCORE, such as hidden2=0.41.'),
        ("=1", '--hidden "=1": write NAME=SCORE, such as hidden2=0.41.'),
        ("hiden2=0.5", '--hidden hiden2=0.5: there is no "hiden2". Did you mean hidden2?'),
        ("hidden7=0.5", '--hidden hidden7=0.5: there is no "hidden7". Did you mean hidden6?'),
        ("hidden1=2", "--hidden hidden1=2: a number from 0 to 1 is expected."),
        ("hidden1=nan", "--hidden hidden1=nan: a number from 0 to 1 is expected."),
        ("hidden1=x", "--hidden hidden1=x: a number from 0 to 1 is expected."),
    ],
)
def test_an_invalid_hidden_score_is_reported(text, sentence):
    with pytest.raises(UsageError) as reported:
        FusionBrainOptions(hidden=(text,)).hidden_scores()
    assert str(reported.value) == sentence


def test_ruwordnet_is_one_of_the_models(tmp_path):
    options = FusionBrainOptions(ruwordnet=str(tmp_path / "r.db"), weights=("ruclip=/models/r",))
    assert {role: str(path) for role, path in options.weight_paths().items()} == {
        "ruwordnet": str(tmp_path / "r.db"),
        "ruclip": "/models/r",
    }
