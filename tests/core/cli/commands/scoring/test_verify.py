from __future__ import annotations

import csv
import json
import re
import shutil
import sqlite3

import pytest

from jurydesk.core.export.stamps_export import second_file
from support import toy


@pytest.fixture
def results(jurydesk, truth, near, far, tmp_path):
    path = tmp_path / "results.json"
    jurydesk("score", "toy", "--truth", truth, "--guesses", near, far, "--json", path)
    return path


def test_the_results_of_score_can_be_verified(jurydesk, results):
    outcome = jurydesk("verify", results)
    assert outcome.code == 0
    assert outcome.out == "near: match, same code\nfar: match, same code\n"
    assert "toy|distance:absolute|profile:published|" in outcome.err


def test_a_stamp_alone_can_be_verified(jurydesk, results, tmp_path):
    stamp = tmp_path / "stamp.json"
    stamp.write_text(json.dumps(json.loads(results.read_text())["systems"][0]["stamp"]))
    outcome = jurydesk("verify", stamp, "--quiet")
    assert (outcome.code, outcome.out, outcome.err) == (0, "", "")


def test_a_changed_file_is_a_difference(jurydesk, results, near):
    near.write_text(near.read_text() + "d 4\n")
    outcome = jurydesk("verify", results)
    assert outcome.code == 1
    first, reason, *_, last = outcome.out.splitlines()
    assert first == "near: differs"
    assert reason.startswith("  near.txt changed: its SHA-256 is ")
    assert last == "far: match, same code"


def test_moved_files_are_found_in_a_given_folder(jurydesk, results, truth, near, far):
    elsewhere = results.parent / "elsewhere"
    elsewhere.mkdir()
    for path in (truth, near, far):
        shutil.move(path, elsewhere)
    missing = jurydesk("verify", results)
    assert missing.code == 1
    assert missing.out.startswith(
        "near: not compared, inputs are missing\n  truth.txt is missing from "
    )
    assert "differs" not in missing.out
    assert jurydesk("verify", results, "--inputs", elsewhere).code == 0


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        ("{}", "This is not a stamp: it is not a JSON object with a schema number."),
        ("[1, 2]", "This is not a stamp: it is not a JSON object with a schema number."),
        ('{"systems": []}', "The file contains no scored system: there is nothing to verify."),
        ("{", "error  odd.json, line 1, column 2: The JSON is invalid:"),
        ('{"schema": 99}', "The stamp has schema 99; this version of Jurydesk reads up to 1."),
    ],
)
def test_a_file_that_is_not_a_stamp_is_refused_with_a_message(
    jurydesk, tmp_path, content, sentence
):
    path = tmp_path / "odd.json"
    path.write_text(content)
    outcome = jurydesk("verify", path)
    assert outcome.code == 1
    assert sentence in outcome.err


def test_a_stamp_of_an_unknown_competition_is_refused(jurydesk, results):
    document = json.loads(results.read_text())
    document["systems"][0]["stamp"]["task"] = "tox"
    results.write_text(json.dumps(document))
    outcome = jurydesk("verify", results)
    assert outcome.code == 1
    assert outcome.err == 'Error: This installation has no competition "tox". Did you mean toy?\n'


@pytest.fixture
def stored(jurydesk, truth, near, far, tmp_path):
    path = tmp_path / "toy.jurydesk"
    jurydesk("score", "toy", "--truth", truth, "--guesses", near, far, "--desk", path)
    return path


def test_a_desk_is_verified_from_its_rows_and_its_inputs(jurydesk, stored):
    outcome = jurydesk("verify", stored)
    assert (outcome.code, outcome.out) == (0, "near: match, same code\nfar: match, same code\n")


def test_a_desk_whose_scores_contradict_its_rows_is_told(jurydesk, stored):
    with sqlite3.connect(stored) as connection:
        (scores,) = connection.execute("SELECT scores FROM evaluation ORDER BY id").fetchone()
        value = json.loads(scores)[0]["value"]
        connection.execute(
            "UPDATE evaluation SET scores = replace(scores, ?, '0.999') WHERE id = 1", (str(value),)
        )
    connection.close()
    outcome = jurydesk("verify", stored)
    assert outcome.code == 1
    assert f"the desk has 0.999, its items give {value:.6g}." in outcome.out
    assert f"the desk has 0.999, its stamp {value:.6g}." in outcome.out
    for command in (["board"], ["compare", "near", "far"], ["items"], ["robustness"]):
        told = jurydesk(command[0], stored, *command[1:]).err
        assert "the desk has 0.999, its items give" in told, command


def test_a_desk_whose_inputs_are_missing_is_verified_in_part(jurydesk, stored, near):
    near.unlink()
    outcome = jurydesk("verify", stored)
    assert outcome.code == 4
    assert outcome.out.splitlines()[-1] == (
        "Not checked: near, teams and names of submissions, the times of receipt."
    )


@pytest.mark.parametrize("ending", ["json", "csv", "tex", "html"])
def test_a_missing_file_is_an_input_error_whatever_its_extension(jurydesk, tmp_path, ending):
    outcome = jurydesk("verify", tmp_path / f"none.{ending}")
    assert outcome.code == 1
    assert outcome.err.startswith(f"error  none.{ending}: The file does not exist.")


class TestForgedExports:
    """Every displayed number is compared with the stamp beside it."""

    @pytest.fixture
    def files(self, tmp_path):
        truth = {f"i{number}": number / 40 for number in range(40)}
        near = {name: value + 0.01 * (k % 5) for k, (name, value) in enumerate(truth.items())}
        far = {name: value + 0.02 * (k % 7) for k, (name, value) in enumerate(truth.items())}
        made = (("truth", truth), ("near", near), ("far", far))
        return [toy.write(tmp_path / "forged" / f"{name}.txt", values) for name, values in made]

    @pytest.fixture
    def results(self, jurydesk, files, tmp_path):
        path, (truth, *guesses) = tmp_path / "results.json", files
        jurydesk("score", "toy", "--truth", truth, "--guesses", *guesses, "--json", path)
        return path

    @pytest.fixture
    def board(self, jurydesk, files, tmp_path):
        desk, (truth, *guesses) = tmp_path / "toy.jurydesk", files
        jurydesk("score", "toy", "--truth", truth, "--guesses", *guesses, "--desk", desk)
        names = {kind: tmp_path / f"board.{kind}" for kind in ("csv", "html", "json", "tex")}
        jurydesk(
            *("board", desk, "--csv", names["csv"], "--html", names["html"]),
            *("--json", names["json"], "--latex", names["tex"]),
        )
        return names

    @pytest.mark.parametrize("kind", ["csv", "html", "json", "tex"])
    def test_an_unaltered_export_is_not_reported(self, jurydesk, board, kind):
        outcome = jurydesk("verify", board[kind])
        assert (outcome.code, outcome.out) == (0, "near: match, same code\nfar: match, same code\n")
        assert "In no stamp" not in outcome.err

    @pytest.mark.parametrize("name", ["renamed.txt", "renamed", "renamed.htm"])
    def test_exports_are_known_by_their_content_whatever_their_name(
        self, jurydesk, board, others, tmp_path, name
    ):
        methods, renamed = tmp_path / "methods.tex", tmp_path / name
        jurydesk("board", tmp_path / "toy.jurydesk", "--methods", methods)
        for path in (*board.values(), *others.values(), methods):
            if second_file(path).is_file():
                second_file(path).rename(second_file(renamed))
            path.rename(renamed)
            outcome = jurydesk("verify", renamed)
            second_file(renamed).unlink(missing_ok=True)
            assert (path.name, outcome.code) == (path.name, 0)
            assert outcome.out.startswith("near: match, same code\n")

    def test_a_file_without_a_stamp_says_what_can_be_verified(self, jurydesk, tmp_path):
        (tmp_path / "notes.txt").write_text("Notes of the jury.\n")
        outcome = jurydesk("verify", tmp_path / "notes.txt")
        assert outcome.code == 1
        assert outcome.err.splitlines()[-1].endswith(
            "The file contains no stamp. Desks, certificates, stamps, and exports as CSV, HTML, "
            "JSON, JSON lines and LaTeX can be verified."
        )

    @pytest.mark.parametrize("part", ["closeness", "closeness_low", "closeness_high"])
    def test_an_altered_cell_of_csv_is_named(self, jurydesk, board, part):
        with board["csv"].open(newline="") as file:
            rows = list(csv.DictReader(file))
        number = rows[1][part]
        assert number
        rows[1][part] = str(float(number) + 0.001)
        with board["csv"].open("w", newline="") as file:
            writer = csv.DictWriter(file, rows[0].keys())
            writer.writeheader()
            writer.writerows(rows)
        self.accused(jurydesk, board["csv"], rows[1]["system"], rows[1][part])

    def test_an_altered_number_of_latex_is_named(self, jurydesk, board):
        found = re.findall(r"& (?:\\textbf\{)?(\d\.\d{4})\}?", board["tex"].read_text())
        assert len(found) >= 2
        for number in dict.fromkeys(found):
            forged = board["tex"].with_name("forged.tex")
            other = f"9{number[1:]}"
            pattern = rf"(& (?:\\textbf{{)?){number}"
            forged.write_text(re.sub(pattern, rf"\g<1>{other}", board["tex"].read_text()))
            self.accused(jurydesk, forged, "", other)

    def test_an_altered_interval_of_latex_is_named(self, jurydesk, board):
        text = board["tex"].read_text()
        low = re.search(r"\[(\d\.\d{4}), ", text)
        assert low is not None
        board["tex"].write_text(text.replace(f"[{low[1]}, ", "[0.9999, ", 1))
        self.accused(jurydesk, board["tex"], "lower end of the interval", "0.9999")

    @pytest.mark.parametrize(
        "pattern",
        [
            r'(?<=data-value=")0\.\d+(?=" title)',
            r'(?<=title=")0\.\d+(?=" data-metric)',
            r'(?<=">)0\.\d{4}(?=<span class="interval">)',
            r"(?<=<b>)0\.\d{4}(?=</b>)",
            r'(?<=<span class="interval">)0\.\d{4}(?= – )',
            r"(?<= – )0\.\d{4}(?=</span></td>)",
        ],
    )
    def test_an_altered_number_of_a_report_is_named(self, jurydesk, board, pattern):
        text = board["html"].read_text(encoding="utf-8")
        forged, count = re.subn(pattern, "0.9876", text, count=1)
        assert count == 1
        board["html"].write_text(forged, encoding="utf-8")
        self.accused(jurydesk, board["html"], "", "0.9876")

    def test_a_report_with_translations_of_another_build_is_whole_but_for_them(
        self, jurydesk, board
    ):
        text = board["html"].read_text(encoding="utf-8")
        other, count = re.subn(r'(?<="Lower is better\.":")[^"]*', "Чем меньше, тем лучше.", text)
        assert count == 1
        board["html"].write_text(other, encoding="utf-8")
        outcome = jurydesk("verify", board["html"])
        assert outcome.code == 4
        assert outcome.out.splitlines() == [
            *("near: match, same code", "far: match, same code"),
            "Not checked: translations.",
        ]
        board["html"].write_text(other.replace("near leads with", "far leads with", 1), "utf-8")
        self.accused(jurydesk, board["html"], "the file has far leads with", "")

    def test_a_report_without_its_translations_is_named(self, jurydesk, board):
        text = board["html"].read_text(encoding="utf-8")
        board["html"].write_text(text.replace('id="languages"', 'id="tongues"'), encoding="utf-8")
        self.accused(jurydesk, board["html"], "tongues: the file has ", "")

    @pytest.mark.parametrize(
        ("place", "reported"),
        [
            (("scores", "closeness"), "closeness: the file shows 0.123,"),
            (("details", 0, "value"), "the file shows 0.123,"),
            (("details", 0, "n"), "(number of items): the file shows 0.123,"),
            (("details", 0, "std"), "(standard deviation): the file shows 0.123,"),
            (("details", 0, "interval", "low"), "(lower end of the interval): the file shows 0.12"),
        ],
    )
    def test_an_altered_number_of_json_is_named(self, jurydesk, board, place, reported):
        document = json.loads(board["json"].read_text())
        *way, last = place
        at = document["systems"][1]
        for step in way:
            at = at[step]
        at[last] = 0.123
        board["json"].write_text(json.dumps(document))
        self.accused(jurydesk, board["json"], reported, "0.123")

    def test_altered_results_of_score_are_named(self, jurydesk, results):
        document = json.loads(results.read_text())
        document["systems"][0]["intervals"]["closeness"][1] = 0.123
        results.write_text(json.dumps(document))
        self.accused(jurydesk, results, "upper end of the interval", "0.123")

    def test_a_renamed_system_is_reported(self, jurydesk, results):
        document = json.loads(results.read_text())
        document["systems"][0]["name"] = "another"
        results.write_text(json.dumps(document))
        self.accused(jurydesk, results, "name: the file has another, recomputed near.", "")

    def test_an_altered_p_value_of_a_board_is_named_with_both_values(self, jurydesk, board):
        document = json.loads(board["json"].read_text())
        pair = document["comparisons"][0]["pairs"][0]
        before, pair["p"] = pair["p"], 0.123
        board["json"].write_text(json.dumps(document))
        reported = f"comparisons[0].pairs[0].p: the file has 0.123, recomputed {before}."
        self.accused(jurydesk, board["json"], reported, "0.123")

    def test_a_board_without_its_settings_is_reported_unless_an_older_version_made_it(
        self, jurydesk, board
    ):
        document = json.loads(board["json"].read_text())
        del document["settings"]
        board["json"].write_text(json.dumps(document))
        self.accused(jurydesk, board["json"], "the settings of the export are missing", "")
        for system in document["systems"]:
            system["stamp"]["versions"]["jurydesk"] = "0.1.0"
            del system["stamp"]["short"]
        board["json"].write_text(json.dumps(document))
        found = jurydesk("verify", board["json"])
        assert found.code == 4
        assert "Not checked: ranks and comparisons, without settings." in found.out
        assert "altered" not in found.out

    @pytest.fixture
    def others(self, jurydesk, files, tmp_path):
        """Return a comparison and the items of both systems, by their kind."""
        desk, (truth, *guesses) = tmp_path / "toy.jurydesk", files
        names = {kind: tmp_path / f"items.{kind}" for kind in ("csv", "jsonl")}
        names["comparison"] = tmp_path / "comparison.json"
        for kind in ("csv", "jsonl"):
            jurydesk(
                *("score", "toy", "--truth", truth, "--guesses", *guesses, "--desk", desk),
                *("--items", names[kind]),
            )
        jurydesk("compare", desk, "near", "far", "--json", names["comparison"])
        return names

    @pytest.mark.parametrize("kind", ["comparison", "csv", "jsonl"])
    def test_comparisons_and_items_are_made_again(self, jurydesk, others, kind):
        outcome = jurydesk("verify", others[kind])
        assert (outcome.code, outcome.out) == (0, "near: match, same code\nfar: match, same code\n")
        assert "recomputed" not in outcome.err

    def test_an_altered_p_value_of_a_comparison_is_named(self, jurydesk, others):
        document = json.loads(others["comparison"].read_text())
        test = document["metrics"][0]["tests"][1]
        before, test["p"] = test["p"], 0.123
        others["comparison"].write_text(json.dumps(document))
        reported = f"metrics[0].tests[1].p: the file has 0.123, recomputed {before}."
        self.accused(jurydesk, others["comparison"], reported, "0.123")

    @pytest.mark.parametrize("kind", ["csv", "jsonl"])
    def test_an_altered_item_is_named_with_its_system(self, jurydesk, others, kind):
        text = others[kind].read_text()
        line = text.splitlines()[48 + (kind == "csv")]  # the ninth item of the second system
        number = re.search(r"0\.\d+", line)[0]
        others[kind].write_text(text.replace(line, line.replace(number, "0.9876", 1)))
        self.accused(jurydesk, others[kind], "(far, i8).closeness: the file has 0.9876", "0.9876")

    def test_a_removed_stamp_contradicts_the_settings(self, jurydesk, others):
        document = json.loads(others["comparison"].read_text())
        document["stamps"].pop()
        others["comparison"].write_text(json.dumps(document))
        self.accused(jurydesk, others["comparison"], "the file has 1 of its 2 stamps.", "")

    @pytest.mark.parametrize("kind", ["comparison", "csv", "jsonl"])
    def test_removed_settings_are_reported(self, jurydesk, others, kind):
        text = others[kind].read_text()
        if kind == "csv":
            rows = list(csv.reader(text.splitlines()))
            rows[1][-1] = ""
            with others[kind].open("w", newline="") as file:
                csv.writer(file).writerows(rows)
        else:
            first, _, rest = text.partition("\n") if kind == "jsonl" else (text, "", "")
            document = json.loads(first)
            del document["settings"]
            others[kind].write_text(f"{json.dumps(document)}\n{rest}")
        self.accused(jurydesk, others[kind], "the settings of the export are missing", "")

    def test_a_board_of_groups_from_a_file_needs_the_same_file(self, jurydesk, files, tmp_path):
        desk, (truth, *guesses) = tmp_path / "toy.jurydesk", files
        jurydesk("score", "toy", "--truth", truth, "--guesses", *guesses, "--desk", desk)
        groups, path = tmp_path / "groups.tsv", tmp_path / "grouped.csv"
        groups.write_text("".join(f"i{k}\tg{k % 12}\n" for k in range(40)), encoding="utf-8")
        jurydesk("board", desk, "--groups", groups, "--csv", path)
        assert jurydesk("verify", path).code == 0
        groups.write_text("".join(f"i{k}\tg{k % 11}\n" for k in range(40)), encoding="utf-8")
        self.accused(jurydesk, path, "groups.tsv changed: its SHA-256 is ", "")

    def accused(self, jurydesk, path, reported: str, number: str) -> None:
        outcome = jurydesk("verify", path)
        assert outcome.code == 1
        accusations = [one for one in outcome.out.splitlines() if one.startswith("altered: ")]
        assert accusations, outcome.out
        missing = [one for one in accusations if number not in one or reported not in one]
        assert not missing


@pytest.fixture
def grouped(jurydesk, truth, near, tmp_path):
    """Return results whose intervals resample the groups of a file."""
    (tmp_path / "groups.tsv").write_text("a\tfirst\nb\tfirst\nc\tsecond\n", encoding="utf-8")
    path = tmp_path / "grouped.json"
    jurydesk(
        *("score", "toy", "--truth", truth, "--guesses", near, "--json", path),
        *("--groups", tmp_path / "groups.tsv", "--interval", "percentile"),
    )
    return path


def test_groups_of_a_file_are_read_again(jurydesk, grouped, tmp_path):
    (system,) = json.loads(grouped.read_text())["systems"]
    score = system["stamp"]["scores"][0]
    assert "of 2 groups" in score["interval"]["method"]
    assert jurydesk("verify", grouped).out.startswith("near: match")
    shutil.move(tmp_path / "groups.tsv", tmp_path / "folder")
    assert jurydesk("verify", grouped).code == 1


def test_other_groups_of_the_same_items_give_another_interval(jurydesk, grouped, tmp_path):
    (tmp_path / "groups.tsv").write_text("a\tfirst\nb\tsecond\nc\tfirst\n", encoding="utf-8")
    found = jurydesk("verify", grouped)
    assert found.code == 1
    first, changed, *intervals = found.out.splitlines()
    assert first == "near: differs"
    assert changed.startswith("  groups.tsv changed: its SHA-256 is ")
    assert intervals[0].startswith("  closeness: interval (")
