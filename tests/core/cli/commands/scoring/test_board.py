from __future__ import annotations

import csv
import io
import json
import os
import re
from datetime import UTC, datetime

import pytest

from jurydesk.core.desk import Desk
from support import toy
from support.rating import studies


@pytest.fixture
def desk(jurydesk, truth, near, far, tmp_path):
    path = tmp_path / "toy.jurydesk"
    jurydesk("score", "toy", "--truth", truth, "--guesses", near, far, "--desk", path)
    return path


def test_the_board_of_a_desk_needs_no_inputs(jurydesk, desk, truth, near):
    before = jurydesk("board", desk)
    truth.unlink()
    near.unlink()
    assert jurydesk("board", desk) == before
    assert before.code == 0
    assert before.out.splitlines()[1].startswith("1–2  near ")


def test_a_result_is_out_of_date_when_its_file_changed(jurydesk, desk, near):
    near.write_text("a 1\n")
    assert "near (out of date)" in jurydesk("board", desk).out


@pytest.mark.parametrize("kind", ["csv", "json", "latex", "html"])
def test_every_export_marks_results_of_other_options(jurydesk, desk, tmp_path, kind):
    export = tmp_path / f"board.{'tex' if kind == 'latex' else kind}"
    jurydesk("board", desk, f"--{kind}", export)
    assert "near (out of date)" not in export.read_text()
    with Desk.open(desk) as opened:
        opened.set_competition("toy", "Toy", {"profile": "published", "missing": "zero"})
    shown = jurydesk("board", desk, f"--{kind}", export).out
    assert "near (out of date)" in shown
    assert "2 results are out of date: an input or option has changed since." in shown
    assert "out of date" in export.read_text()
    if kind == "csv":
        rows = csv.DictReader(export.read_text().splitlines())
        assert [one["remarks"] for one in rows] == ["out of date"] * 2


def test_a_file_with_errors_is_listed_with_the_time_of_its_check(
    jurydesk, truth, near, broken, tmp_path
):
    path = tmp_path / "toy.jurydesk"
    jurydesk("score", "toy", "--truth", truth, "--guesses", near, broken, "--desk", path)
    broken.unlink()
    last = jurydesk("board", path).out.splitlines()[-1]
    assert re.fullmatch(
        r"broken\.txt had errors when it was checked, \d{4}-\d\d-\d\d \d\d:\d\d UTC\.", last
    )
    assert "checked" not in jurydesk("board", path, "--json", "-").out


def test_systems_without_a_significant_difference_share_their_rank(jurydesk, desk):
    reported = jurydesk("board", desk).out
    assert "1–2  far" in reported
    assert "3 numbers cannot show a difference: at least 6 are needed." in reported
    assert "There are no 95 % intervals: they need 5 numbers or more." in reported


def test_a_metric_can_be_chosen(jurydesk, desk):
    head = jurydesk("board", desk, "--metric", "listed").out.splitlines()[0]
    assert head.split() == ["system", "listed"]
    outcome = jurydesk("board", desk, "--metric", "liste")
    assert outcome.code == 2
    assert outcome.err == 'Error: The board has no metric "liste". Did you mean listed?\n'


def test_the_board_is_written_in_every_format(jurydesk, desk, tmp_path):
    table, latex, page = (tmp_path / f"board.{ending}" for ending in ("csv", "tex", "html"))
    outcome = jurydesk(
        "board", desk, "--csv", table, "--latex", latex, "--html", page, "--json", "-"
    )
    assert outcome.code == 0
    assert [one["name"] for one in json.loads(outcome.out)["systems"]] == ["near", "far"]
    rows = list(csv.DictReader(io.StringIO(table.read_text())))
    assert [row["system"] for row in rows] == ["near", "far"]
    assert r"\textbf{0.9167}" in latex.read_text()
    assert '<bdi class="name">near</bdi>' in page.read_text()


def test_rows_of_csv_have_a_short_stamp_and_the_settings_stand_once_beside_it(
    jurydesk, desk, tmp_path
):
    path = tmp_path / "board.csv"
    assert jurydesk("board", desk, "--csv", path).code == 0
    rows = list(csv.DictReader(path.read_text().splitlines()))
    assert [re.match(r"toy\|[^{}]{40,300}$", one["stamp"]) is not None for one in rows] == [
        True
    ] * 2
    assert "{" not in path.read_text()
    beside = json.loads((tmp_path / "board.stamps.json").read_text())
    assert [one["short"] for one in beside["stamps"]] == [one["stamp"] for one in rows]
    assert beside["settings"]["format"] == "csv"


@pytest.mark.parametrize("ending", ["csv", "tex", "html", "json"])
def test_every_format_contains_the_stamps_that_verify_computes_again(
    jurydesk, desk, tmp_path, ending
):
    option = {"tex": "latex"}.get(ending, ending)
    path = tmp_path / f"board.{ending}"
    assert jurydesk("board", desk, f"--{option}", path).code == 0
    outcome = jurydesk("verify", path)
    assert (outcome.code, outcome.out) == (0, "near: match, same code\nfar: match, same code\n")


@pytest.mark.parametrize(
    ("name", "content", "sentence"),
    [
        ("a.csv", "system,place\nx,1\n", "The file contains no stamp."),
        ("a.tex", "% stamp {", "The stamps in the file are damaged"),
        ("a.html", "<p>no</p>", "The file contains no stamp."),
        ("b.csv", 'stamp\n"{}"\n', "This is not a stamp"),
    ],
)
def test_an_export_without_a_valid_stamp_is_refused(jurydesk, tmp_path, name, content, sentence):
    path = tmp_path / name
    path.write_text(content)
    outcome = jurydesk("verify", path)
    assert outcome.code == 1
    assert sentence in outcome.err


class TestSlices:
    def test_the_board_can_be_limited_to_the_items_of_a_query(self, jurydesk, desk):
        lines = jurydesk("board", desk, "--slice", "id=b").out.splitlines()
        assert lines[0] == "id=b: 1 number"
        assert [line.split()[2] for line in lines[3:5]] == ["0.7500*", "0.5000"]

    def test_each_value_of_a_column_has_a_board_in_every_format(self, jurydesk, desk, tmp_path):
        table, latex, page = (tmp_path / f"slices.{ending}" for ending in ("csv", "tex", "html"))
        outcome = jurydesk(
            *("board", desk, "--by", "closeness", "--slice", "id!=a", "--json", "-"),
            *("--csv", table, "--latex", latex, "--html", page),
        )
        titles = ["id!=a", "closeness 0.625", "closeness 0.75"]
        document = json.loads(outcome.out)
        assert [one["title"] for one in document["slices"]] == titles
        assert [one["n_items"] for one in document["slices"]] == [2, 1, 2]
        rows = list(csv.DictReader(io.StringIO(table.read_text())))
        assert [row["slice"] for row in rows] == [title for title in titles for _ in range(2)]
        assert latex.read_text().count("\\begin{tabular}{@{}") == 3
        assert ">closeness 0.75 · 2 numbers</h2>" in page.read_text()
        assert jurydesk("verify", table).code == 0

    def test_an_unknown_column_is_wrong_usage(self, jurydesk, desk):
        outcome = jurydesk("board", desk, "--by", "closenes")
        assert outcome.code == 2
        assert "Did you mean closeness?" in outcome.err


def test_possible_copies_are_reported_with_their_items(jurydesk, tmp_path):
    ids = [f"i{number:02d}" for number in range(12)]
    truth = toy.write(tmp_path / "truth.txt", dict.fromkeys(ids, 1.0))
    near = {key: 1.0 - number / 97 for number, key in enumerate(ids)}
    one, two = (toy.write(tmp_path / f"{name}.txt", near) for name in ("one", "two"))
    desk = tmp_path / "copies.jurydesk"
    jurydesk("score", "toy", "--truth", truth, "--guesses", one, two, "--desk", desk)
    assert (
        "one and two have the same values in 11 of 11 numbers: one may be a copy of the other."
    ) in jurydesk("board", desk).out


def test_an_empty_desk_has_no_board(jurydesk, tmp_path):
    path = tmp_path / "empty.jurydesk"
    Desk.create(path).close()
    outcome = jurydesk("board", path)
    assert (outcome.code, outcome.err) == (1, f"Error: {path} holds no competition yet.\n")


def test_a_file_that_is_not_a_desk_is_refused(jurydesk, truth):
    outcome = jurydesk("board", truth)
    assert outcome.code == 1
    assert outcome.err == "Error: truth.txt is not a desk: it is not an SQLite file.\n"


def test_a_desk_without_systems_is_described(jurydesk, tmp_path):
    study = tmp_path / "study.jurydesk"
    studies.desk_with(study, studies.study()).close()
    outcome = jurydesk("board", study)
    assert (outcome.code, outcome.err) == (0, "")
    assert outcome.out == (
        "No system has been scored yet.\n"
        "The desk holds a rating plan: 3 systems, 4 raters, answers from 0. `jurydesk ratings "
        "merge` adds their answers.\n"
        "`jurydesk score vist ... --desk study.jurydesk` scores systems into it.\n"
    )


def test_a_desk_with_only_ratings_has_a_board_of_ratings(jurydesk, tmp_path):
    study = tmp_path / "study.jurydesk"
    made = studies.study()
    with studies.desk_with(study, made) as desk:
        studies.rate(desk, tmp_path, made, 2)
    reported = jurydesk("board", study).out
    assert "ZEBRAnet" in reported
    assert "No system" not in reported


@pytest.mark.parametrize(
    ("raters", "note"),
    [(1, "Not reliable: only 1 rater judged."), (3, "3 raters judged 5 stories of each system.")],
)
@pytest.mark.parametrize("kind", ["csv", "json", "latex", "html", "methods"])
def test_every_export_says_how_many_raters_judged(jurydesk, tmp_path, kind, raters, note):
    made = studies.study(sequences=5, raters=raters, ratings=1 if raters == 1 else 3)
    desk = studies.rated_desk(tmp_path / "s.jurydesk", made, raters=raters)
    export = tmp_path / f"board.{'tex' if kind in ('latex', 'methods') else kind}"
    assert note in jurydesk("board", desk, f"--{kind}", export).out
    assert note in export.read_text().replace("~", " ")


def board_of_two(jurydesk, tmp_path):
    """Score a system whose guesses are close, and one whose squared error is smaller."""
    ids = [f"n{number}" for number in range(12)]
    truth = toy.write(tmp_path / "truth12.txt", dict.fromkeys(ids, 0.0))
    close = dict.fromkeys(ids, 0.1) | {ids[0]: 1.0}
    even = dict.fromkeys(ids, 0.2)
    files = [toy.write(tmp_path / f"{n}.txt", v) for n, v in (("close", close), ("even", even))]
    path = tmp_path / "two.jurydesk"
    done = jurydesk("score", "toy", "--truth", truth, "--guesses", *files, "--desk", path)
    assert done.code == 0, done.err
    return path


def systems_in(out):
    return [line.split()[1] for line in out.splitlines()[1:3]]


def test_the_first_metric_shown_ranks_and_words_the_board_without_a_change_of_the_desk(
    jurydesk, tmp_path
):
    path = board_of_two(jurydesk, tmp_path)
    assert systems_in(jurydesk("board", path).out) == ["close", "even"]
    shown = jurydesk("board", path, "--metric", "rmse", "--json", tmp_path / "b.json")
    assert systems_in(jurydesk("board", path, "--metric", "rmse").out) == ["even", "close"]
    assert shown.code == 0
    document = json.loads((tmp_path / "b.json").read_text("utf-8"))
    assert document["headline"] == "rmse"
    assert document["comparisons"][0]["metric"] == "rmse"
    assert jurydesk("verify", tmp_path / "b.json").code == 0
    assert systems_in(jurydesk("board", path).out) == ["close", "even"]


def test_a_ranking_metric_is_kept_in_the_desk_and_followed_everywhere(jurydesk, tmp_path):
    path = board_of_two(jurydesk, tmp_path)
    assert systems_in(jurydesk("board", path, "--rank-by", "rmse").out) == ["even", "close"]
    assert systems_in(jurydesk("board", path).out) == ["even", "close"]
    assert "by Error (published)" in jurydesk("robustness", path).out.splitlines()[0]
    for kind in ("json", "csv", "latex", "html"):
        written = tmp_path / f"board.{'tex' if kind == 'latex' else kind}"
        assert jurydesk("board", path, f"--{kind}", written).code == 0
        assert jurydesk("verify", written).code == 0, kind


def test_scoring_ranks_by_a_metric_and_keeps_it(jurydesk, tmp_path):
    path = board_of_two(jurydesk, tmp_path)
    files = [tmp_path / f"{name}.txt" for name in ("close", "even")]
    arguments = ("--truth", tmp_path / "truth12.txt", "--guesses", *files, "--desk", path)
    assert systems_in(jurydesk("score", "toy", *arguments, "--rank-by", "rmse").out)[0] == "even"
    assert systems_in(jurydesk("score", "toy", *arguments).out)[0] == "even"


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("closenes", 'The competition has no metric "closenes". Did you mean closeness?'),
        ("listed", "Listed is a count and ranks no systems."),
    ],
)
def test_a_metric_that_cannot_rank_is_refused_with_the_reason(jurydesk, tmp_path, name, sentence):
    path = board_of_two(jurydesk, tmp_path)
    for command in (("board", path), ("score", "toy", "--truth", path, "--guesses", path)):
        outcome = jurydesk(*command, "--rank-by", name)
        assert (outcome.code, sentence in outcome.err) == (2, True), outcome.err


def test_the_average_rank_is_a_column_that_can_be_verified(jurydesk, tmp_path):
    path, averaged = board_of_two(jurydesk, tmp_path), ("closeness", "rmse")
    options = [part for name in averaged for part in ("--average-rank", name)]
    out = jurydesk("board", path, *options).out
    assert "1.50 [1.00, 2.00]" in out
    assert "Average rank: mean of the ranks by score over Closeness, Error" in out
    for kind in ("json", "csv", "latex", "html"):
        written = tmp_path / f"board.{'tex' if kind == 'latex' else kind}"
        assert jurydesk("board", path, *options, f"--{kind}", written).code == 0
        assert jurydesk("verify", written).code == 0, kind


class TestGroupsOfItems:
    """Groups are taken by `score`, and by every command on a desk."""

    @pytest.fixture
    def wrong(self, tmp_path):
        path = tmp_path / "wrong.csv"
        path.write_text("item;group\nN0;a\nN1;a\n", encoding="utf-8")
        return path

    @pytest.mark.parametrize("command", ["board", "robustness", "compare"])
    def test_a_file_without_a_match_is_refused(self, jurydesk, tmp_path, wrong, command):
        path = board_of_two(jurydesk, tmp_path)
        systems = ("close", "even") if command == "compare" else ()
        outcome = jurydesk(command, path, *systems, "--groups", wrong)
        assert outcome.code == 2
        assert "wrong.csv names no item of this competition" in outcome.err
        assert "its first is N0, an item is n0." in outcome.err

    def test_scoring_refuses_it_too_and_keeps_nothing_of_it(self, jurydesk, tmp_path, wrong):
        path = board_of_two(jurydesk, tmp_path)
        before = jurydesk("board", path).out
        files = ("--truth", tmp_path / "truth12.txt", "--guesses", tmp_path / "close.txt")
        outcome = jurydesk("score", "toy", *files, "--groups", wrong, "--desk", path)
        assert (outcome.code, "names no item" in outcome.err) == (2, True)
        assert jurydesk("board", path).out == before

    def test_items_without_a_group_are_counted(self, jurydesk, tmp_path):
        path, groups = board_of_two(jurydesk, tmp_path), tmp_path / "half.tsv"
        groups.write_text("".join(f"n{n}\tg{n // 2}\n" for n in range(6)), encoding="utf-8")
        sentence = "6 of 12 numbers have no group in half.tsv (first: n6, n7, n8 and 3 more)"
        assert sentence in jurydesk("board", path, "--groups", groups).err
        files = ("--truth", tmp_path / "truth12.txt", "--guesses", tmp_path / "close.txt")
        assert sentence in jurydesk("score", "toy", *files, "--groups", groups).err


@pytest.fixture
def received(jurydesk, truth, near, far, tmp_path):
    """Return a desk with three submissions of which one is late and one has an error."""
    late = (datetime(2026, 3, 2, tzinfo=UTC).timestamp(),) * 2
    for team, text in (("north", near.read_text()), ("south", far.read_text()), ("west", "a x\n")):
        run = tmp_path / "inbox" / team / "run.txt"
        run.parent.mkdir(parents=True)
        run.write_text(text)
        os.utime(run, late if team == "south" else (0, 0))
    path = tmp_path / "received.jurydesk"
    rules = ("--submissions", tmp_path / "inbox", "--deadline", "2026-03-01 00:00 UTC")
    assert jurydesk("score", "toy", "--truth", truth, *rules, "--desk", path).code == 1
    return path


class TestRemarksOnSubmissions:
    SHARE = "2 of 3 submissions are scored. With errors: west."

    @pytest.mark.parametrize("kind", ["csv", "json", "latex", "html", "methods"])
    def test_every_export_has_them_and_verify_names_them(self, jurydesk, received, tmp_path, kind):
        suffix = {"latex": "tex", "methods": "tex"}.get(kind, kind)
        export = tmp_path / f"board.{suffix}"
        shown = jurydesk("board", received, f"--{kind}", export)
        assert "south (late by 1 day)" in shown.out
        assert self.SHARE in shown.out
        text = export.read_text()
        assert str(tmp_path) not in "".join(one.read_text() for one in tmp_path.glob("board.*"))
        assert "late by 1 day" in text
        assert self.SHARE in text
        checked = jurydesk("verify", export)
        assert (checked.code, checked.out.splitlines()[-1]) == (
            4,
            "Not checked: the remarks on submissions.",
        )

    def test_an_altered_remark_is_a_difference(self, jurydesk, received, tmp_path):
        export = tmp_path / "board.csv"
        jurydesk("board", received, "--csv", export)
        rows = list(csv.DictReader(export.read_text().splitlines()))
        assert [one["remarks"] for one in rows] == ["", "late by 1 day"]
        assert [one["received"] for one in rows] == [self.SHARE, ""]
        export.write_text(export.read_text().replace(",late by 1 day,", ",,", 1))
        assert jurydesk("verify", export).code == 1
