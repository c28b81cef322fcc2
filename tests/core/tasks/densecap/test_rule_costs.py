"""The steps from one program's score to another's, a rule after the other."""

import json

import pytest

from jurydesk.core.execution.run import Run
from jurydesk.core.model.evaluation import UsageError
from jurydesk.core.tasks.densecap.densecap_options import DenseCapOptions
from jurydesk.core.tasks.densecap.rule_costs import rule_steps
from support.kits.dense_programs import PROGRAMS, case, recorded
from support.kits.dense_programs import names as program_names


def steps(folder, content, profile, metric="map", first="published"):
    paths = folder / "truth.json", folder / "detections.json"
    truth = {name: content[name] for name in ("images", "annotations")}
    for path, data in zip(paths, (truth, content["detections"]), strict=True):
        path.write_text(json.dumps(data), encoding="utf-8")
    inputs = {"ground-truth": [paths[0]], "detections": [paths[1]]}
    return rule_steps(inputs, DenseCapOptions(profile=first), profile, metric, Run())


@pytest.mark.parametrize("profile", PROGRAMS)
def test_the_last_step_is_the_program_s_recorded_score_and_the_changes_sum_to_it(tmp_path, profile):
    content = case("14_empty_captions")
    found = steps(tmp_path, content, profile)
    expected = program_names(recorded(content["expected"], profile) or {})
    if expected:
        assert found[-1].value == pytest.approx(expected["map"], abs=1e-12)
    total = found[0].value + sum(one.change for one in found[1:])
    assert total == pytest.approx(found[-1].value, abs=1e-12)


def test_the_claim_of_an_empty_caption_is_what_raises_scenic_s_score(tmp_path):
    found = steps(tmp_path, case("14_empty_captions"), "scenic")
    changes = {one.rule: one.change for one in found[1:]}
    # specification, section 4: 22.1 instead of 8.0
    assert 100 * changes["Objects with an empty caption"] == pytest.approx(14.1, abs=0.05)


def test_images_that_are_left_out_are_a_step_of_their_own(tmp_path):
    found = steps(tmp_path, case("07_no_detections"), "controlcap")
    changes = {one.rule: one.change for one in found[1:]}
    assert changes["Images without detections or objects"] > 0.04  # 16.75 against 11.7


def test_profiles_that_differ_in_no_rule_have_one_step(tmp_path):
    found = steps(tmp_path, case("01_basic"), "dynrefer", first="controlcap")
    assert [one.rule for one in found] == ["Profile controlcap"]


def test_files_that_cannot_be_scored_are_refused(tmp_path):
    content = {"images": [], "annotations": [], "detections": []}
    with pytest.raises(UsageError):
        steps(tmp_path, content, "scenic")
