from __future__ import annotations

import json

from support import toy


def test_valid_files_have_no_defects(jurydesk, truth, near):
    outcome = jurydesk("check", "toy", "--truth", truth, "--guesses", near)
    assert (outcome.code, outcome.out, outcome.err) == (0, "", "No defects.\n")


def test_every_defect_is_listed_and_an_error_ends_with_exit_code_1(
    jurydesk, truth, tmp_path, broken
):
    partial = toy.write(tmp_path / "partial.txt", {"a": 1.0, "b": 2.0})
    outcome = jurydesk("check", "toy", "--truth", truth, "--guesses", partial, broken)
    assert outcome.code == 1
    assert outcome.out == (
        "warning  partial.txt: c is missing.\n"
        'error  broken.txt, line 2: "two" is no number.\n'
        "       A line is: id value.\n"
    )
    assert outcome.err == "1 error, 1 warning and 0 notes.\n"


def test_warnings_alone_end_with_exit_code_0(jurydesk, truth, tmp_path):
    partial = toy.write(tmp_path / "partial.txt", {"a": 1.0, "b": 2.0})
    assert jurydesk("check", "toy", "--truth", truth, "--guesses", partial).code == 0


def test_quiet_lists_only_errors(jurydesk, truth, tmp_path, broken):
    partial = toy.write(tmp_path / "partial.txt", {"a": 1.0, "b": 2.0})
    outcome = jurydesk("check", "toy", "--truth", truth, "--guesses", partial, broken, "--quiet")
    assert "warning" not in outcome.out
    assert outcome.out.startswith("error  broken.txt")
    assert outcome.err == ""


def test_json_contains_the_defects_of_every_system(jurydesk, truth, near, broken):
    outcome = jurydesk("check", "toy", "--truth", truth, "--guesses", near, broken, "--json", "-")
    document = json.loads(outcome.out)
    assert outcome.code == 1
    assert document["schema"] == 1
    assert document["defects"] == []
    assert [(one["name"], len(one["defects"])) for one in document["systems"]] == [
        ("near", 0),
        ("broken", 1),
    ]
    assert document["systems"][1]["defects"][0]["place"]["line"] == 2
