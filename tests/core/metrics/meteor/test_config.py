import pytest

from jurydesk.core.metrics.meteor.config import (
    HTER,
    RANK,
    TASKS,
    UNIVERSAL,
    Config,
    jar_config,
    profile,
)


def test_the_vist_profile_is_task_hter_on_the_unchanged_text():
    assert profile("vist") == Config(weights=HTER)
    assert profile("vist").text_mode == "none"


def test_the_coco_profile_is_the_default_task_on_normalised_text():
    assert profile("coco") == Config(weights=RANK, normalise=True, lowercase=True)
    assert profile("coco").text_mode == "norm"


@pytest.mark.parametrize(
    ("flags", "mode"),
    [
        ({}, "none"),
        ({"lower": True}, "lower"),
        ({"norm": True}, "norm"),
        ({"norm": True, "no_punct": True}, "norm,nopunct"),
    ],
)
def test_flags_set_what_is_done_to_the_text(flags: dict[str, bool], mode: str):
    assert jar_config("li", **flags).text_mode == mode


def test_the_task_util_counts_characters_only_on_request():
    assert not jar_config("util").characters
    assert jar_config("util", char=True).characters


def test_universal_runs_paraphrases_as_its_second_stage():
    assert UNIVERSAL.stages == (0, -1, -1, 1)
    assert all(task.stages == (0, 1, 2, 3) for task in TASKS.values() if task is not UNIVERSAL)


def test_an_unknown_name_is_refused_with_the_existing_ones():
    with pytest.raises(ValueError, match=r"METEOR has no profile 'vst'; it has vist, coco\."):
        profile("vst")
    with pytest.raises(ValueError, match="METEOR has no task 'best'; it has rank, hter"):
        jar_config("best")
