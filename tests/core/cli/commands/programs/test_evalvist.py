from __future__ import annotations

from jurydesk.core.competition.examples import example_folder
from jurydesk.core.competition.task_registry import registry


def test_the_original_arguments_print_the_original_lines(jurydesk):
    folder = example_folder(registry().tasks["vist"])
    test_file, gold_file = folder / "labels.json", folder / "human-stories.json"
    outcome = jurydesk("evalvist", "-testFile", test_file, "-gsFile", gold_file)
    assert outcome.code == 0
    lines = outcome.out.splitlines()
    assert lines[0] == "[Passed] Test file is in valid JSON syntax."
    assert lines[-2] == "Avg. Max Meteor Score ="
    assert 0 < float(lines[-1]) < 1


def test_a_refused_submission_ends_with_exit_code_1(jurydesk):
    folder = example_folder(registry().tasks["vist"])
    outcome = jurydesk(
        "evalvist",
        "-testFile",
        folder / "careless.json",
        "-gsFile",
        folder / "human-stories.json",
        "--quiet",
    )
    assert outcome.code == 1
    assert "[Error]" in outcome.out
    assert outcome.err == ""


def test_both_files_are_required(jurydesk):
    outcome = jurydesk("evalvist", "-testFile", "x")
    assert outcome.code == 2
    assert "Missing option '-gsFile'" in outcome.err
