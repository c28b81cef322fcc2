"""Competitions of a folder: scores, defects with their places, archives and kits."""

from __future__ import annotations

import json
import math
import time

import numpy as np
import pytest

from jurydesk.core.competition.examples import example_folder
from jurydesk.core.desk import Desk
from jurydesk.core.execution.run import Run
from jurydesk.core.intake.classify import classify_files
from jurydesk.core.metrics.classified_items import average_precision_of_scores
from jurydesk.core.metrics.question_answering.squad import exact_match_of, token_f1_of
from jurydesk.core.tasks.declared.declaration import declaration_text
from jurydesk.core.tasks.declared.declaration_reader import read_declaration
from jurydesk.core.tasks.declared.declared_task import TASK, sniff
from jurydesk.core.tasks.declared.toml_file import lines_of_keys
from jurydesk.core.verification.conformance import check_task
from jurydesk.core.workflow.role_assignment import assign_roles
from support.oracles import oracle

REFERENCES = "id,album,truth,size\na,x,red car,10\nb,x,a dog|the hound,20\nc,y,Two!,40\n"
DECLARATION = """
title = "Things"
item = "id"
missing = "{missing}"
group = "album"
[columns.answer]
references = ["truth"]
separator = "|"
[columns.size]
kind = "number"
references = "size"
[[metrics]]
measure = "exact_match"
column = "answer"
[[metrics]]
measure = "f1"
column = "answer"
[[metrics]]
measure = "absolute_error"
column = "size"
"""
RELAXED = """
title = "Sizes"
item = "id"
columns.size = { kind = "number", references = "size" }
metrics = [{ measure = "relaxed_accuracy" }]
"""
RESULTS = "id,answer,size\na,The red car,11\nb,hound dog,20\nc,two,37\n"


@pytest.fixture
def competition(tmp_path):
    """Return the folder of a competition of three items."""
    folder = tmp_path / "things"
    folder.mkdir()
    (folder / "competition.toml").write_text(DECLARATION.format(missing="error"), "utf-8")
    (folder / "references.csv").write_text(REFERENCES, "utf-8")
    return folder


def score(jurydesk, folder, content, *options, name="mine.csv"):
    results = folder / name
    results.write_text(content, "utf-8")
    given = ("--competition", folder / "competition.toml", "--references")
    paths = (*given, folder / "references.csv", "--results", results)
    outcome = jurydesk("score", "declared", *paths, "--json", "-", *options)
    found = json.loads(outcome.out)["systems"] if outcome.out else []
    return outcome, found[0]["scores"] if found else {}


def test_the_example_fulfils_the_contract_of_competitions():
    check_task(TASK)


def test_metrics_of_several_columns_are_those_of_hand(jurydesk, competition):
    # exact: "red car" and "two" of three; F1: 1, 2/3 ("dog" of two words and one), 1.
    _, found = score(jurydesk, competition, RESULTS)
    assert found["answer.exact_match"] == pytest.approx(2 / 3)
    assert found["answer.f1"] == pytest.approx((1 + 2 / 3 + 1) / 3)
    assert found["size.absolute_error"] == pytest.approx((1 + 0 + 3) / 3)


def test_titles_of_metrics_tell_the_column_in_brackets(jurydesk, competition):
    (competition / "mine.csv").write_text(RESULTS, "utf-8")
    given = ("--competition", competition / "competition.toml", "--references")
    paths = (*given, competition / "references.csv", "--results", competition / "mine.csv")
    outcome = jurydesk("score", "declared", *paths)
    assert "No interval below 5 items: Exact match (answer), F1 (answer)" in outcome.out


def test_a_new_desk_and_a_kit_have_the_title_of_the_declaration(jurydesk, competition, tmp_path):
    desk, kit = tmp_path / "a.jurydesk", tmp_path / "a.jurycomp"
    score(jurydesk, competition, RESULTS, "--desk", desk)
    with Desk.open(desk) as opened:
        assert opened.competition.title == "Things"
        opened.set_competition("declared", "Things of spring", {})
    score(jurydesk, competition, RESULTS, "--desk", desk)
    with Desk.open(desk) as opened:
        assert opened.competition.title == "Things of spring"
    given = ("--competition", competition / "competition.toml", "--references")
    assert jurydesk("kit", "declared", *given, competition / "references.csv", kit).code == 0
    assert json.loads(kit.read_text("utf-8"))["title"] == "Things"


def test_rows_of_results_may_come_in_any_order_and_as_json(jurydesk, competition):
    _, wanted = score(jurydesk, competition, RESULTS)
    head, *rows = RESULTS.splitlines()
    _, turned = score(jurydesk, competition, "\n".join([head, *rows[::-1]]))
    names = head.split(",")
    records = [dict(zip(names, row.split(","), strict=True)) for row in rows]
    _, from_json = score(jurydesk, competition, json.dumps(records), name="mine.json")
    assert turned == from_json == wanted


def test_a_reloaded_desk_has_the_scores_that_are_no_means(jurydesk, tmp_path):
    folder = example_folder(TASK)
    desk = tmp_path / "signs.jurydesk"
    given = ("--competition", folder / "competition.toml", "--references")
    results = [folder / "careful.csv", folder / "hasty.csv"]
    paths = (*given, folder / "references.csv", "--results", *results)
    assert jurydesk("score", "declared", *paths, "--desk", desk, "--quiet").code == 0
    board = json.loads(jurydesk("board", desk, "--rank-by", "reading.bleu_1", "--json", "-").out)
    assert [one["name"] for one in board["systems"]] == ["careful", "hasty"]
    assert jurydesk("verify", desk).code == 0


@pytest.mark.parametrize(
    ("results", "sentence"),
    [
        ("id,answer\na,x\n", 'The table has no column "size".'),
        (RESULTS.replace("37", "37 m"), '"size" is not a number: "37 m".'),
        (RESULTS.replace("37", "1e999"), '"size" is not a number: "1e999".'),
        (RESULTS.replace("37", "-1e31"), '"size" is not a number: "-1e31".'),
        (f"{RESULTS}a,again,1\n", 'The item "a" has several rows.'),
        (RESULTS.replace("c,two,37\n", ""), "1 item without a result: c."),
        (RESULTS.replace("c,", ","), '"id" is empty.'),
    ],
)
def test_damaged_results_are_refused_with_their_reason(jurydesk, competition, results, sentence):
    outcome, found = score(jurydesk, competition, results)
    assert outcome.code == 1
    assert not found
    assert sentence in outcome.err


def test_missing_results_follow_the_policy(jurydesk, competition):
    path = competition / "competition.toml"
    without = RESULTS.replace("b,hound dog,20\n", "b,hound dog,\n")
    path.write_text(DECLARATION.format(missing="skip"), "utf-8")
    _, found = score(jurydesk, competition, without)
    assert found["size.absolute_error"] == pytest.approx(2)
    texts = DECLARATION.format(missing="empty").replace('kind = "number"', 'kind = "text"')
    path.write_text(texts.replace("absolute_error", "accuracy"), "utf-8")
    outcome, found = score(jurydesk, competition, RESULTS.replace("b,hound dog,20\n", ""))
    assert found["answer.f1"] == pytest.approx(2 / 3)
    assert "They count as empty texts." in outcome.err


@pytest.mark.parametrize(
    ("old", "new", "line", "sentence"),
    [
        ('title = "Things"', "title = 3", 2, "title is not a text of at most 200 characters,"),
        ('title = "Things"', 'titel = "T"', 2, "titel is not known, and not used."),
        ('missing = "error"', 'missing = "no"', 4, 'missing is "no".'),
        ('"number"', '"numbers"', 10, 'columns.size.kind is "numbers".'),
        ('"exact_match"', '"exact"', 13, 'metrics[1].measure is "exact".'),
        ('"exact_match"', '"f1"', 15, "The same metric is declared twice."),
        ('"absolute_error"', '"f1"', 19, '"f1" is for columns of text; "size" has number.'),
        ('column = "size"', 'column = "sizes"', 20, 'metrics[3].column is "sizes".'),
        ('references = "size"', "references = [1]", 11, "columns.size.references is not a list of"),
        ('title = "Things"', 'title = "Things', 2, "The file is not TOML:"),
    ],
)
def test_defects_of_a_declaration_have_line_and_key(competition, old, new, line, sentence):
    path = competition / "competition.toml"
    path.write_text(path.read_text("utf-8").replace(old, new), "utf-8")
    (found,) = [one for one in read_declaration(path).defects if sentence in one.found]
    assert found.place.line == line


def test_a_declaration_cut_between_its_tables_has_a_column_without_a_metric(competition):
    path = competition / "competition.toml"
    text = path.read_text("utf-8")
    path.write_text(text[: text.rindex("[[metrics]]")], "utf-8")
    (found,) = read_declaration(path).defects
    assert found.found == "No metric scores a column: size."
    assert "check that the file is not cut" in found.hint


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"a = " + b"[" * 100_000,
        b"\xff\xfe",
        b"[a]\n[a]\n",
        b"x" * (1 << 19),
        b"a = " + b"9" * 5000,
        b"missing = 0x" + b"f" * 5000,
        b"missing = " + b"[" * 400 + b"]" * 400,
        b"missing" + b".a" * 100_000 + b" = 1",
        b"[" + b" " * 100_000 + b'"a#b"]',
    ],
)
def test_hostile_declarations_are_refused_with_a_sentence(tmp_path, content):
    path = tmp_path / "competition.toml"
    path.write_bytes(content)
    reading = read_declaration(path)
    assert reading.data is None
    assert all(one.found.endswith(".") for one in reading.defects)
    assert "0 MiB" not in str(reading.defects)


@pytest.mark.parametrize("head", [b"\n" * 65_536, b" " * 65_536, b"[" + b" " * 65_535])
def test_blanks_are_no_declaration_and_are_seen_at_once(head):
    started = time.process_time()
    assert sniff(head) is None
    assert time.process_time() - started < 0.5


def test_a_declaration_is_the_same_after_writing(competition):
    path = competition / "competition.toml"
    first = read_declaration(path).data
    path.write_text(declaration_text(first), "utf-8")
    assert read_declaration(path).data == first


def test_names_of_columns_may_have_any_blanks_but_no_control_characters(competition):
    path = competition / "competition.toml"
    text = path.read_text("utf-8").replace('"album"', '"al\u00a0bum\u200c"')
    path.write_text(text, "utf-8")
    assert read_declaration(path).data.group == "al\u00a0bum\u200c"
    path.write_text(text.replace("\u200c", "\\u0085"), "utf-8")
    (found,) = read_declaration(path).defects
    assert found.found.startswith("group is not a text of at most 200 characters")


def test_squares_of_the_largest_numbers_stay_in_the_mean(jurydesk, tmp_path):
    declared = RELAXED.replace("relaxed_accuracy", "squared_error")
    (tmp_path / "competition.toml").write_text(declared, "utf-8")
    (tmp_path / "references.csv").write_text("id,size\na,0\nb,0\n", "utf-8")
    _, found = score(jurydesk, tmp_path, "id,size\na,1e30\nb,0\n")
    assert found == pytest.approx({"squared_error": 5e59})


def test_a_long_title_is_refused_before_anything_is_written(jurydesk, tmp_path):
    references = tmp_path / "truth.csv"
    references.write_text(REFERENCES, "utf-8")
    options = ("--references", references, "--title", "a" * 201)
    outcome = jurydesk("competition", "new", tmp_path / "made", *options)
    assert (outcome.code, (tmp_path / "made").exists()) == (2, False)


def test_pictures_that_the_folder_lacks_are_named(jurydesk, competition):
    path = competition / "competition.toml"
    path.write_text('picture = "truth"\n' + path.read_text("utf-8"), "utf-8")
    (competition / "images").mkdir()
    (competition / "images" / "Two!.png").write_bytes(b"")
    outcome = jurydesk("competition", "check", competition)
    assert outcome.code == 0
    assert "2 items without a picture in the folder images: a, b." in " ".join(outcome.err.split())


def test_lines_are_those_of_keys_in_their_tables():
    lines = lines_of_keys('a = 1\n[b."c d"]\ne = 2\n[[f]]\n[[f]]\ng = 3\n')
    assert lines == {"a": 1, "b.c d": 2, "b.c d.e": 3, "f.0": 4, "f.1": 5, "f.1.g": 6}


def test_a_competition_is_made_checked_packed_and_opened_from_its_archive(jurydesk, tmp_path):
    references = tmp_path / "truth.csv"
    references.write_text(REFERENCES, "utf-8")
    folder, packed = tmp_path / "made", tmp_path / "made.zip"
    metrics = ("--metric", "truth.anls", "--metric", "size.absolute_error")
    chosen = ("--column", "truth", "--column", "size", *metrics)
    made = jurydesk("competition", "new", folder, "--references", references, *chosen)
    assert (made.code, made.err) == (0, "")
    assert "made: 3 items; metrics: truth.anls, size.absolute_error." in made.out
    assert jurydesk("competition", "zip", folder, packed).code == 0
    (tmp_path / "mine.csv").write_text("id,truth,size\na,red,1\nb,a,2\nc,b,3\n", "utf-8")
    files = classify_files([packed, tmp_path / "mine.csv"], Run())
    placed = assign_roles(files, (), None)
    assert placed.task is TASK
    roles = {file.path.name: file.role for file in placed.files}
    wanted = {"competition.toml": "competition", "references.csv": "references"}
    assert roles == {**wanted, "mine.csv": "results"}


def test_new_refuses_a_folder_that_has_a_competition(jurydesk, competition):
    references = competition / "references.csv"
    outcome = jurydesk("competition", "new", competition, "--references", references)
    assert outcome.code == 2
    assert "competition.toml exists already." in outcome.err


@pytest.mark.parametrize("name", ["references.csv", "references.json"])
def test_new_keeps_other_references_that_the_folder_has(jurydesk, tmp_path, name):
    references = tmp_path / "truth.csv"
    references.write_text(REFERENCES, "utf-8")
    (tmp_path / name).write_text("mine", "utf-8")
    outcome = jurydesk("competition", "new", tmp_path, "--references", references)
    assert (outcome.code, f"{name} exists already" in outcome.err) == (2, True)
    assert (tmp_path / name).read_text("utf-8") == "mine"


def test_two_tables_of_references_are_refused(jurydesk, competition):
    (competition / "references.tsv").write_text(REFERENCES.replace(",", "\t"), "utf-8")
    outcome = jurydesk("competition", "check", competition)
    assert outcome.code != 0
    assert "references.csv beside references.tsv" in outcome.err


def test_relaxed_accuracy_has_the_arithmetic_of_vqa(jurydesk, tmp_path):
    (tmp_path / "competition.toml").write_text(RELAXED, "utf-8")
    (tmp_path / "references.csv").write_text("id,size\na,6.28\nb,100\nc,0\n", "utf-8")
    _, found = score(jurydesk, tmp_path, "id,size\na,6.594\nb,105\nc,0\n")
    assert found == {"relaxed_accuracy": 2 / 3}  # floats: 6.594 is a little more than 5 % off


@pytest.mark.parametrize(
    ("truths", "given", "exact", "f1"),
    [
        # evaluate-v1.1.py of SQuAD, by hand
        (["the cat"], "A cat.", 1, 1),
        (["cat sat", "dog"], "the cat sat down", 0, 0.8),
        (["U.S."], "us", 1, 1),
        (["a"], "the", 1, 0),
        (["x"], "", 0, 0),
    ],
)
def test_answers_are_compared_as_in_squad(truths, given, exact, f1):
    assert exact_match_of(truths, given) == exact
    assert token_f1_of(truths, given) == pytest.approx(f1)


@pytest.mark.parametrize(
    ("scores", "labels", "wanted"),
    [
        # the example of scikit-learn's manual, and ties by hand: both count at once
        ([0.1, 0.4, 0.35, 0.8], [0, 0, 1, 1], 0.8333333333333333),
        ([0.5, 0.5, 0.1], [1, 0, 1], 0.5 * 0.5 + 0.5 * 2 / 3),
        ([0.2, 0.1], [0, 0], math.nan),
    ],
)
def test_average_precision_is_that_of_scikit_learn(scores, labels, wanted):
    rows = np.column_stack([np.array(scores), np.array(labels, float)])
    assert average_precision_of_scores(rows) == pytest.approx(wanted, nan_ok=True)


@pytest.mark.parametrize("name", ["basic", "forty images"])
def test_texts_have_the_numbers_of_pycocoevalcap(jurydesk, tmp_path, name):
    cases = json.loads(oracle("captions/own_eval.json").read_bytes())["cases"]
    case = next(one for one in cases if one["name"] == name)
    measures = ("bleu_1", "bleu_4", "cider", "rouge_l", "meteor")
    metrics = "".join(f'[[metrics]]\nmeasure = "{one}"\n' for one in measures)
    head = 'title = "Captions"\nitem = "id"\n[columns.caption]\nreferences = "truth"\n'
    (tmp_path / "competition.toml").write_text(f'{head}separator = "|"\n{metrics}', "utf-8")
    truths = {}
    for one in case["annotations"]["annotations"]:
        truths.setdefault(one["image_id"], []).append(one["caption"])
    rows = [f'{key},"{"|".join(texts)}"' for key, texts in truths.items()]
    (tmp_path / "references.csv").write_text("\n".join(["id,truth", *rows]), "utf-8")
    given = [{"id": one["image_id"], "caption": one["caption"]} for one in case["results"]]
    _, found = score(jurydesk, tmp_path, json.dumps(given), name="mine.json")
    meteor = np.mean([row["meteor"] for row in case["per_image"]])
    wanted = {**{one: case["aggregate"][one] for one in measures}, "meteor": meteor}
    assert found == pytest.approx(wanted, abs=1e-12)
