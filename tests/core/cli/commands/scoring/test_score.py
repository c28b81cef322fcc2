from __future__ import annotations

import csv
import io
import json
import math
import shutil

import pytest

from jurydesk.core.competition.task_registry import registry
from jurydesk.core.desk import Desk
from support import toy
from support.examples import folder_of
from support.oracles import data, oracle


def test_every_system_is_on_the_board_with_the_best_first(jurydesk, truth, near, far):
    outcome = jurydesk("score", "toy", "--truth", truth, "--guesses", far, near)
    assert outcome.code == 0
    lines = outcome.out.splitlines()
    assert lines[0].split() == ["system", "closeness", "rmse"]
    assert lines[1].startswith("1.  near      0.9167*")
    assert lines[2].startswith("2.  far       0.5000")
    assert lines[4].startswith("near has the best Closeness, 0.9167; no difference was tested.")
    assert outcome.err == ""


def test_several_values_can_follow_an_option_or_repeat_it(jurydesk, truth, near, far):
    together = jurydesk("score", "toy", "--truth", truth, "--guesses", near, far)
    repeated = jurydesk("score", "toy", "--guesses", near, "--truth", truth, "--guesses", far)
    assert together == repeated


def test_json_has_the_layout_that_other_programs_rely_on(jurydesk, truth, near):
    outcome = jurydesk("score", "toy", "--truth", truth, "--guesses", near, "--json", "-")
    document = json.loads(outcome.out)
    assert document["schema"] == 1
    assert document["task"] == "toy"
    (system,) = document["systems"]
    assert system["name"] == "near"
    assert system["profile"] == "published"
    assert system["scores"] == {
        "closeness": pytest.approx(2.75 / 3),
        "rmse": pytest.approx(math.sqrt(0.0625 / 3)),
        "listed": 3.0,
    }
    assert system["n_items"] == 3
    assert system["defects"] == []
    assert [figure["name"] for figure in system["figures"]] == ["given"]
    assert system["stamp"]["short"].startswith("toy|distance:absolute|profile:published|gold:")


def test_an_undefined_number_is_null_and_a_defect_gives_the_reason(jurydesk, tmp_path, truth):
    nothing = toy.write(tmp_path / "nothing.txt", {"z": 1.0})
    outcome = jurydesk("score", "toy", "--truth", truth, "--guesses", nothing, "--json", "-")
    (system,) = json.loads(outcome.out)["systems"]
    assert system["scores"]["closeness"] is None
    assert [defect["found"] for defect in system["defects"]] == [
        "a is missing.",
        "b is missing.",
        "c is missing.",
    ]


def test_defects_are_written_to_standard_error_and_results_to_standard_output(
    jurydesk, truth, tmp_path
):
    partial = toy.write(tmp_path / "partial.txt", {"a": 1.0, "b": 2.0})
    outcome = jurydesk("score", "toy", "--truth", truth, "--guesses", partial)
    assert outcome.code == 0
    assert outcome.err == "warning  partial.txt: c is missing.\n"
    assert "partial" in outcome.out


def test_quiet_suppresses_all_diagnostics_but_errors(jurydesk, truth, tmp_path, broken):
    partial = toy.write(tmp_path / "partial.txt", {"a": 1.0, "b": 2.0})
    outcome = jurydesk("score", "toy", "--truth", truth, "--guesses", partial, broken, "--quiet")
    assert outcome.code == 1
    assert outcome.err == (
        'error  broken.txt, line 2: "two" is no number.\n       A line is: id value.\n'
    )
    assert outcome.out == ""


def test_quiet_keeps_output_requested_by_a_dash(jurydesk, truth, near, tmp_path):
    files = ("--truth", truth, "--guesses", near, "--quiet")
    assert jurydesk("score", "toy", *files, "--json", tmp_path / "a.json").out == ""
    outcome = jurydesk("score", "toy", *files, "--json", "-")
    assert [one["name"] for one in json.loads(outcome.out)["systems"]] == ["near"]


def test_a_file_with_errors_is_refused_and_the_others_are_scored(jurydesk, truth, near, broken):
    outcome = jurydesk("score", "toy", "--truth", truth, "--guesses", near, broken, "--json", "-")
    assert outcome.code == 1
    assert outcome.err.endswith("1 of 2 systems were not scored.\n")
    scored, refused = json.loads(outcome.out)["systems"]
    assert scored["scores"]["listed"] == 3
    assert refused["name"] == "broken"
    assert refused["scores"] == {}
    assert refused["stamp"] is None
    assert refused["defects"][0]["found"] == '"two" is no number.'


def test_nothing_is_scored_after_an_error_in_the_references(jurydesk, near, broken):
    outcome = jurydesk("score", "toy", "--truth", broken, "--guesses", near, "--json", "-")
    assert outcome.code == 1
    assert outcome.err.endswith("Nothing was scored: fix the errors above first.\n")
    document = json.loads(outcome.out)
    assert document["systems"] == []
    assert document["defects"][0]["found"] == '"two" is no number.'


def test_a_system_can_be_named(jurydesk, truth, near, far):
    outcome = jurydesk(
        "score", "toy", "--truth", truth, "--guesses", near, far, "--name", "one", "two"
    )
    assert "1.  one" in outcome.out
    assert "2.  two" in outcome.out


def test_each_submission_needs_a_name(jurydesk, truth, near, far):
    outcome = jurydesk("score", "toy", "--truth", truth, "--guesses", near, far, "--name", "one")
    assert outcome.code == 2
    assert outcome.err == (
        "Error: --name was given 1 time for 2 submissions; "
        "give one name per submission, in the same order.\n"
    )


def test_the_options_of_the_task_are_flags(jurydesk, truth, tmp_path):
    partial = toy.write(tmp_path / "partial.txt", {"a": 1.0, "b": 2.0})
    arguments = ("score", "toy", "--truth", truth, "--guesses", partial, "--json", "-")
    skipped = json.loads(jurydesk(*arguments).out)["systems"][0]
    zero = json.loads(jurydesk(*arguments, "--missing", "zero").out)["systems"][0]
    assert skipped["scores"]["closeness"] == 1.0
    assert zero["scores"]["closeness"] == pytest.approx(2 / 3)
    assert "|missing:zero|" in zero["stamp"]["short"]


def test_items_are_written_as_one_row_each(jurydesk, truth, near, far, tmp_path):
    table, lines = tmp_path / "items.csv", tmp_path / "items.jsonl"
    arguments = ("score", "toy", "--truth", truth, "--guesses", near, far, "--items")
    assert jurydesk(*arguments, table).code == 0
    assert jurydesk(*arguments, lines).code == 0
    rows = list(csv.DictReader(io.StringIO(table.read_text())))
    assert [(row["system"], row["item"]) for row in rows] == [
        (system, item) for system in ("near", "far") for item in "abc"
    ]
    assert float(rows[1]["closeness"]) == 0.75
    records = [json.loads(line) for line in lines.read_text().splitlines()]
    assert [record["closeness"] for record in records] == [1.0, 0.75, 1.0, 0.5, 0.5, 0.5]


def test_items_need_a_known_file_name_extension(jurydesk, truth, near, tmp_path):
    target = tmp_path / "items.txt"
    outcome = jurydesk("score", "toy", "--truth", truth, "--guesses", near, "--items", target)
    assert outcome.code == 2
    assert outcome.err == f"Error: --items {target}: the name must end with .csv or .jsonl.\n"


def test_an_unwritable_target_is_refused_before_scoring(jurydesk, truth, near, tmp_path):
    target = tmp_path / "no" / "out.json"
    outcome = jurydesk("score", "toy", "--truth", truth, "--guesses", near, "--json", target)
    assert outcome.code == 2
    assert outcome.err == f"Error: --json {target}: the folder {target.parent} does not exist.\n"
    folder = jurydesk("score", "toy", "--truth", truth, "--guesses", near, "--json", tmp_path)
    assert folder.code == 2
    assert folder.err == (f"Error: --json {tmp_path} is a folder: give the name of a file.\n")


def test_no_desk_is_created_where_nothing_could_be_scored(jurydesk, truth, near, broken, tmp_path):
    path = tmp_path / "toy.jurydesk"
    before = set(tmp_path.iterdir())
    for right, given in ((truth, broken), (broken, near)):
        outcome = jurydesk("score", "toy", "--truth", right, "--guesses", given, "--desk", path)
        assert outcome.code == 1
        assert outcome.err.endswith("Nothing was scored: fix the errors above first.\n")
        assert set(tmp_path.iterdir()) == before
    scored = ("score", "toy", "--truth", truth, "--desk", path, "--guesses")
    assert jurydesk(*scored, near, broken).code == 1
    assert jurydesk(*scored, broken).code == 1
    with Desk.open(path, read_only=True) as desk:
        assert [one.system for one in desk.evaluations()] == ["near"]


def test_an_existing_empty_desk_is_kept(jurydesk, truth, broken, tmp_path):
    path = tmp_path / "toy.jurydesk"
    Desk.create(path).close()
    outcome = jurydesk("score", "toy", "--truth", truth, "--guesses", broken, "--desk", path)
    assert (outcome.code, path.exists()) == (1, True)


def test_results_are_kept_in_a_desk_beside_earlier_ones(jurydesk, truth, near, far, tmp_path):
    path = tmp_path / "toy.jurydesk"
    assert jurydesk("score", "toy", "--truth", truth, "--guesses", near, "--desk", path).code == 0
    assert jurydesk("score", "toy", "--truth", truth, "--guesses", far, "--desk", path).code == 0
    with Desk.open(path, read_only=True) as desk:
        assert [(one.system, one.stale) for one in desk.evaluations()] == [
            ("near", False),
            ("far", False),
        ]
        assert [entry.source.role for entry in desk.inputs()] == ["guesses", "truth", "guesses"]
        assert desk.competition.title == "Toy"


def test_a_shared_file_that_a_later_run_lacks_makes_no_result_stale(jurydesk, tmp_path):
    folder, path = folder_of(registry().tasks["vist"]), tmp_path / "stories.jurydesk"
    files = ("--submission", folder / "happy.json", "--references", folder / "human-stories.json")
    looked_at = ("--template", folder / "template.json", "--images", folder / "images")
    for more in (looked_at, ()):
        outcome = jurydesk("score", "vist", *files, *more, "--desk", path)
        assert outcome.code == 0
        with Desk.open(path, read_only=True) as desk:
            assert [one.stale for one in desk.evaluations()] == [False]
    with Desk.open(path, read_only=True) as desk:
        roles = {entry.source.role for entry in desk.inputs()}
    assert roles == {"submission", "references", "images"}


def test_another_competition_needs_another_desk(jurydesk, truth, near, tmp_path):
    path = tmp_path / "kept.jurydesk"
    with Desk.create(path) as desk:
        desk.set_competition("vist", "Stories", {})
    outcome = jurydesk("score", "toy", "--truth", truth, "--guesses", near, "--desk", path)
    assert outcome.code == 0
    with Desk.open(path, read_only=True) as desk:
        assert desk.competition.task_id == "toy"
        assert desk.competition.title == "Toy"
        assert [one.system for one in desk.evaluations()] == ["near"]


def test_a_missing_file_is_reported_by_its_reader(jurydesk, tmp_path):
    absent = tmp_path / "absent.xml"
    outcome = jurydesk("score", "keyword-spotting", "--relevance", absent, "--results", absent)
    assert outcome.code == 1
    assert outcome.err.startswith("error  absent.xml")
    assert "Traceback" not in outcome.err


def keyword_spotting(case: str) -> tuple[str, ...]:
    folder = "keyword_spotting/icfhr"
    relevance, results = oracle(f"{folder}/{case}.gt.xml"), oracle(f"{folder}/{case}.res.xml")
    return ("keyword-spotting", "--relevance", str(relevance), "--results", str(results))


def cells(text: str) -> list[list[str]]:
    return [line.split() for line in text.splitlines()]


def test_the_sample_of_rusteval_has_its_numbers(jurydesk):
    """The numbers are those of rusteval's own tests and README."""
    relevance = data("icfhr2014/GroundTruthRelevanceJudgementsSample.xml")
    results = data("icfhr2014/WordSpottingResultsSample.xml")
    arguments = ("--relevance", relevance, "--results", results)
    outcome = jurydesk("score", "keyword-spotting", *arguments)
    assert outcome.code == 0
    head, *table = outcome.out.splitlines()
    assert head.startswith(
        "WordSpottingResultsSample (published): 2 queries averaged; Mean average precision 0.5185"
    )
    assert cells("\n".join(table)) == [
        ["precAt5", "precAt10", "ap"],
        ["=" * 71],
        ["sb0000", "1.00000", "0.55556", "0.55556"],
        ["sb0001", "0.80000", "0.44444", "0.48148"],
        ["-" * 72],
        ["MEAN:", "precAt5", "precAt10", "ap"],
        ["=" * 71],
        ["0.90000", "0.50000", "0.51852"],
    ]


def test_a_query_can_be_selected(jurydesk):
    case = keyword_spotting("random_1")
    everything = cells(jurydesk("score", *case).out)
    query = everything[3]
    outcome = cells(jurydesk("score", *case, "--query", query[0]).out)
    assert outcome[3] == query
    assert outcome[-1] == query[1:]


def test_an_unknown_query_is_refused_with_a_suggestion(jurydesk):
    case = keyword_spotting("random_1")
    known = cells(jurydesk("score", *case).out)[3][0]
    outcome = jurydesk("score", *case, "--query", f"{known}x")
    assert outcome.code == 2
    assert outcome.err.splitlines()[-1].startswith(
        f'Error: There is no query "{known}x". Did you mean {known}'
    )


def test_several_systems_have_their_own_tables_before_the_board(jurydesk, tmp_path):
    case = keyword_spotting("random_1")
    other = shutil.copy(oracle("keyword_spotting/icfhr/random_1.res.xml"), tmp_path / "copy.xml")
    outcome = jurydesk("score", *case, other, "--name", "one", "two")
    assert outcome.code == 0
    assert outcome.out.count("MEAN:") == 2
    assert "one and two have the best Mean average precision" in outcome.out


def test_the_same_file_twice_is_one_submission(jurydesk, truth, near):
    arguments = ("score", "toy", "--truth", truth, "--guesses", near, near)
    assert jurydesk(*arguments).out.count("near ") == 2, "once in the table, once in the finding"
    assert jurydesk(*arguments, "--name", "one", "two").code == 2
