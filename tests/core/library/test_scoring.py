"""Python interface: it returns what the command line writes, and raises typed errors."""

from __future__ import annotations

import copy
import json
import math

import polars
import pytest

from jurydesk.core.cli import main
from jurydesk.core.desk import Desk
from jurydesk.core.desk.hidden_scores import hide_scores
from jurydesk.core.library import scoring as jurydesk
from jurydesk.core.library.results import Defects, FilesError, InputError
from jurydesk.core.model.defects import Place, error
from jurydesk.core.model.evaluation import UsageError


def command_line(tmp_path, *arguments):
    """Return the JSON document that a command writes."""
    target = tmp_path / "written.json"
    assert main([*map(str, arguments), "--json", str(target), "--quiet"]) == 0
    return json.loads(target.read_text())


def without_times(document):
    stamps = document.get("stamps") or [system["stamp"] for system in document["systems"]]
    for stamp in stamps:
        stamp.pop("created")
    return document


@pytest.fixture
def result(files):
    return jurydesk.score("toy", truth=files.truth, guesses=[files.near, files.far])


@pytest.fixture
def desk(files, tmp_path):
    path = tmp_path / "toy.jurydesk"
    jurydesk.score("toy", truth=files.truth, guesses=[files.near, files.far], desk=path)
    return path


class TestScore:
    def test_the_document_equals_that_of_the_command_line(self, files, result, tmp_path):
        written = command_line(
            tmp_path, "score", "toy", "--truth", files.truth, "--guesses", files.near, files.far
        )
        ours = json.loads(json.dumps(result.to_json()))
        assert without_times(ours) == without_times(written)

    def test_scores_and_intervals_are_found_by_system_and_metric(self, result):
        near = result["near"]
        assert near.scores["closeness"] == 0.75
        assert near.scores["listed"] == 8
        assert near.intervals["closeness"].level == 0.95
        assert near.intervals["closeness"].low <= 0.75 <= near.intervals["closeness"].high

    def test_the_frame_of_scores_has_a_row_for_each_system_and_metric(self, result):
        row = result.scores.row(
            by_predicate=(polars.col("system") == "far") & (polars.col("metric") == "closeness"),
            named=True,
        )
        assert (row["value"], row["n"], row["std"]) == (0.5, 8, 0.0)
        assert row["profile"] == "published"

    def test_items_equal_the_rows_that_the_command_line_writes(self, files, result, tmp_path):
        target = tmp_path / "items.csv"
        given = ["--truth", files.truth, "--guesses", files.near, files.far, "--items", target]
        assert main(["score", "toy", *map(str, given), "--quiet"]) == 0
        assert result.items.equals(polars.read_csv(target).drop("stamps", "settings"))

    def test_items_of_one_system_have_their_ids_first(self, result):
        assert result["near"].items.columns[0] == "item"
        assert result["near"].items["item"].to_list() == list("abcdefgh")

    def test_an_item_is_explained_by_title_and_text(self, result):
        assert result["far"].explain("b")["given"] == "1.5"
        with pytest.raises(KeyError):
            result["far"].explain("nowhere")

    def test_systems_get_the_given_names(self, files):
        found = jurydesk.score("toy", truth=files.truth, guesses=files.near, names=["Team One"])
        assert [one.name for one in found] == ["Team One"]
        assert "Team One" in found

    def test_options_are_those_of_the_competition(self, files):
        found = jurydesk.score("toy", truth=files.truth, guesses=files.near, profile="corrected")
        assert found["near"].profile == "corrected"

    def test_the_kind_of_interval_can_be_chosen(self, files):
        given = {"truth": files.truth, "guesses": files.near, "groups": "none"}
        found = jurydesk.score("toy", **given, interval="percentile")
        assert "percentile" in found["near"].intervals["closeness"].method

    def test_the_ranking_metric_can_be_chosen_and_is_kept_in_the_desk(self, files, tmp_path):
        path = tmp_path / "ranked.jurydesk"
        both = {"truth": files.truth, "guesses": [files.near, files.far]}
        found = jurydesk.score("toy", **both, desk=path, rank_by="rmse")
        assert found.rank_by == jurydesk.open(path).rank_by == "rmse"
        assert found._repr_html_().index("Error") < found._repr_html_().index("Closeness")
        assert main(["board", str(path), "--csv", str(tmp_path / "board.csv")]) == 0
        board = polars.read_csv(tmp_path / "board.csv")
        assert set(board["headline"]) == {"rmse"}

    def test_a_metric_that_ranks_nothing_is_refused(self, files):
        given = {"truth": files.truth, "guesses": files.near}
        with pytest.raises(UsageError, match="Listed is a count and ranks no systems"):
            jurydesk.score("toy", **given, rank_by="listed")
        with pytest.raises(UsageError, match="Did you mean closeness"):
            jurydesk.score("toy", **given, rank_by="closenes")

    def test_progress_is_reported_with_a_text(self, files):
        reported = []
        jurydesk.score(
            "toy",
            truth=files.truth,
            guesses=files.near,
            progress=lambda *now: reported.append(now),
        )
        assert all(
            isinstance(text, str) and done <= total for text, done, total in reported if total
        )

    def test_notebooks_show_a_table_whose_texts_are_escaped(self, files):
        found = jurydesk.score("toy", truth=files.truth, guesses=files.near, names=["<b>x</b>"])
        html = found._repr_html_()
        assert "<td>&lt;b&gt;x&lt;/b&gt;</td>" in html
        assert "0.7500" in html
        assert "<b>" not in html


class TestErrors:
    def test_a_file_with_errors_raises_an_exception_with_its_defects_and_the_valid_systems(
        self, files
    ):
        with pytest.raises(InputError, match=r"1 error in the files\.\nerror  broken") as raised:
            jurydesk.score("toy", truth=files.truth, guesses=[files.near, files.broken])
        (found,) = raised.value.defects.errors
        assert found.place.line == 2
        assert [one.name for one in raised.value.result] == ["near"]

    def test_files_with_errors_are_left_out_on_request(self, files):
        given = [files.near, files.broken]
        found = jurydesk.score("toy", truth=files.truth, guesses=given, refuse=False)
        assert [one.name for one in found] == ["near"]
        assert len(found.defects.errors) == 1

    def test_without_any_valid_system_an_exception_is_raised_in_both_modes(self, files):
        with pytest.raises(InputError) as raised:
            jurydesk.score("toy", truth=files.truth, guesses=files.broken, refuse=False)
        assert raised.value.result is None

    def test_the_message_contains_five_errors_and_counts_the_others(self):
        wrong = FilesError([error(Place("a.txt", line), "Wrong.") for line in range(1, 9)])
        assert str(wrong).splitlines()[0] == "8 errors in the files."
        assert str(wrong).endswith("error  a.txt, line 5: Wrong.\n... and 3 more")

    @pytest.mark.parametrize(
        ("arguments", "sentence"),
        [
            ({"gueses": "x"}, 'takes no argument "gueses". Did you mean guesses?'),
            ({"truth": "t", "guesses": "g", "missing": "maybe"}, "not one of the choices: 'skip'"),
            ({"guesses": "g"}, "needs truth=FILE"),
            ({"truth": "t"}, "needs guesses=FILE"),
            ({"truth": ["t", "u"], "guesses": "g"}, "truth takes one file, but 2 were given"),
            ({"truth": "t", "guesses": "g", "names": ["a", "b"]}, "2 names for 1 submission:"),
        ],
    )
    def test_an_invalid_argument_is_reported_with_the_possible_values(
        self, files, arguments, sentence
    ):
        with pytest.raises(UsageError) as raised:
            jurydesk.score("toy", **arguments)
        assert sentence in str(raised.value)

    def test_an_unknown_competition_is_reported_with_the_nearest_name(self):
        with pytest.raises(UsageError, match=r'no competition "visst". Did you mean vist\?'):
            jurydesk.score("visst")


class TestCheck:
    def test_every_defect_is_listed_and_nothing_is_raised(self, files):
        found = jurydesk.check("toy", truth=files.truth, guesses=[files.near, files.broken])
        assert [one.place.name for one in found.errors] == ["broken.txt"]
        assert found.frame["line"].to_list() == [one.place.line for one in found]
        assert "broken.txt, line 2" in str(found)

    def test_valid_files_have_no_defects(self, files):
        found = jurydesk.check("toy", truth=files.truth, guesses=files.near)
        assert found == ()
        assert str(found) == "No defects."
        assert found.frame.is_empty()

    def test_texts_of_files_are_escaped_in_notebooks(self):
        defects = Defects([error(Place("a<i>.txt"), "<script>x</script>")])
        assert "<script>" not in defects._repr_html_()
        assert "&lt;script&gt;" in defects._repr_html_()


class TestOpen:
    def test_a_desk_returns_the_results_that_were_scored_into_it(self, desk, result):
        opened = jurydesk.open(desk)
        assert opened.scores.equals(result.scores)
        assert opened.items.equals(result.items)
        assert opened["far"].explain("b") == result["far"].explain("b")

    def test_opening_writes_nothing(self, desk):
        before = desk.read_bytes()
        desk.chmod(0o400)
        jurydesk.open(desk)["near"].explain("a")
        assert desk.read_bytes() == before

    def test_hidden_scores_are_returned_on_request_only(self, desk):
        with Desk.open(desk) as opened:
            hide_scores(opened)
        for call in (jurydesk.open, lambda path: jurydesk.compare(path, "near", "far")):
            with pytest.raises(UsageError, match="are hidden: reveal=True"):
                call(desk)
        assert len(jurydesk.open(desk, reveal=True)) == 2

    def test_an_unknown_profile_is_reported_with_the_existing_ones(self, desk):
        with pytest.raises(UsageError, match=r'profile "corrected". Available: published\.'):
            jurydesk.open(desk, profile="corrected")

    def test_a_new_desk_in_which_nothing_was_scored_is_deleted(self, files, tmp_path):
        path = tmp_path / "new.jurydesk"
        with pytest.raises(InputError):
            jurydesk.score("toy", truth=files.truth, guesses=files.broken, desk=path)
        assert not path.exists()


class TestCompare:
    def test_the_document_equals_that_of_the_command_line(self, desk, result, tmp_path):
        written = command_line(tmp_path, "compare", desk, "near", "far")
        assert jurydesk.compare(desk, "near", "far").to_json() == written
        ours = jurydesk.compare(result, "near", "far").to_json()
        assert without_times(copy.deepcopy(ours)) == without_times(written)

    def test_difference_test_and_items_are_frames(self, result):
        found = jurydesk.compare(result, "near", "far", metric="closeness")
        (row,) = found.frame.to_dicts()
        assert (row["first"], row["second"], row["difference"]) == (0.75, 0.5, 0.25)
        assert row["p"] == pytest.approx(2 / 2**8)
        assert found.items["difference"].to_list() == [0.25] * 8
        assert "exact randomisation" in found.tests["test"].to_list()
        assert "+0.2500" in found._repr_html_()

    def test_an_undefined_p_value_is_missing_rather_than_nan(self, result):
        found = jurydesk.compare(result, "near", "far")
        assert not any(math.isnan(p) for p in found.tests["p"].drop_nulls())

    @pytest.mark.parametrize(
        ("pair", "metric", "sentence"),
        [
            (("near", "fare"), (), 'no system "fare". Did you mean far?'),
            (("near", "near"), (), "the same system"),
            (("near", "far"), "closenes", 'no metric "closenes". Did you mean closeness?'),
        ],
    )
    def test_an_unknown_name_is_reported_with_the_nearest_one(self, result, pair, metric, sentence):
        with pytest.raises(UsageError) as raised:
            jurydesk.compare(result, *pair, metric=metric)
        assert sentence in str(raised.value)


def test_all_competitions_are_listed(files):
    assert {"toy", "vist", "captions", "keyword-spotting"} <= set(jurydesk.tasks())


def test_opening_or_comparing_a_desk_that_contradicts_its_items_warns_the_caller(files, tmp_path):
    desk = tmp_path / "forged.jurydesk"
    jurydesk.score("toy", truth=files.truth, guesses=[files.near, files.far], desk=desk)
    with Desk.open(desk) as opened, opened.writing() as rows:
        rows.execute("UPDATE evaluation SET scores = replace(scores, '0.5', '0.875')")
    for look in (jurydesk.open, lambda path: jurydesk.compare(path, "near", "far")):
        with pytest.warns(UserWarning, match="^far, ") as caught:
            look(desk)
        assert {str(one.message).partition(":")[0] for one in caught} == {
            "far, closeness",
            "far, rmse",
        }
        assert {one.filename for one in caught} == {__file__}
