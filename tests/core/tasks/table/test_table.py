"""Competition of any table: recognition of columns, layouts, scores and defects."""

from __future__ import annotations

import json
import math
import random
from dataclasses import replace

import numpy as np
import pytest

from jurydesk.core.analysis.significance.pairwise_significance import compare_all_pairs
from jurydesk.core.analysis.significance.significance_methods import Entrant
from jurydesk.core.competition.declared_metrics import with_metrics
from jurydesk.core.competition.examples import example_folder, example_inputs, example_options
from jurydesk.core.competition.task_registry import find_competition, registry
from jurydesk.core.execution.engine import check_inputs, score_submissions
from jurydesk.core.execution.run import Run
from jurydesk.core.export.items_export import csv_blocks, jsonl_blocks
from jurydesk.core.intake.classify import classify_files
from jurydesk.core.intake.file_signatures import file_kind
from jurydesk.core.model.input_file import files_by_role
from jurydesk.core.model.stamp import Stamp
from jurydesk.core.tasks.table.table_options import TableOptions
from jurydesk.core.tasks.table.table_task import TASK, sniff
from jurydesk.core.verification import verify_stamp
from jurydesk.core.verification.conformance import check_task
from jurydesk.core.verification.scored_before import ScoredBefore
from jurydesk.core.workflow.files import explicit_files
from jurydesk.core.workflow.score import CompetitionFiles, check_competition, score_competition

LONG = "system,item,acc\na,q1,1\na,q2,0\nb,q1,1\nb,q2,1\n"


def score(tmp_path, *contents, references=None, **options):
    """Return the result of tables with these contents."""
    paths = []
    for number, content in enumerate(contents):
        path = tmp_path / f"table{number}.csv"
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        paths.append(path)
    inputs = {"results": paths}
    if references is not None:
        inputs["references"] = [tmp_path / "items.csv"]
        inputs["references"][0].write_text(references, "utf-8")
    return score_submissions(TASK, files_by_role(inputs), TableOptions(**options), Run())


def values(result, metric=None):
    return {
        one.system: one.score(metric or one.scores[0].metric).value for one in result.evaluations
    }


def errors(result):
    return [one.found for one in result.defects if one.severity == "error"]


def test_the_task_keeps_the_contract_of_competitions():
    check_task(TASK)


@pytest.mark.parametrize(
    "content",
    [
        LONG,
        LONG.replace("system,item,acc", "Model,Question ID,Accuracy"),
        LONG.replace("system,item,acc", "MODEL_NAME,id,Score"),
        LONG.replace(",1\n", ",true\n").replace(",0\n", ",FALSE\n"),
        LONG.replace(",1\n", ",100%\n").replace(",0\n", ",0\n"),
        "item,a,b\nq1,1,1\nq2,0,1\n",
        "system,q1,q2,q3\na,1,0,0.5\nb,1,1,1\n",
        "system,item,metric,value\na,q1,acc,1\na,q2,acc,0\nb,q1,acc,1\nb,q2,acc,1\n",
        json.dumps([{"model": s, "id": i, "scores": {"acc": v}} for s, i, v in
                    [("a", 1, 1), ("a", 2, 0), ("b", 1, 1), ("b", 2, 1)]]),
    ],
)  # fmt: skip
def test_systems_items_and_scores_are_found_by_names_and_contents(tmp_path, content):
    assert values(score(tmp_path, content)) == {"a": 0.5, "b": 1.0}


def test_columns_without_known_names_are_found_by_their_contents(tmp_path):
    content = "who,which,acc\nx,one,1\nx,two,0\ny,one,1\ny,two,1\n"
    assert values(score(tmp_path, content, item="which")) == {"x": 0.5, "y": 1.0}


def test_options_name_columns_and_their_order(tmp_path):
    content = "m,i,one,two\na,1,0.5,3\na,2,0.7,4\nb,1,0.1,9\nb,2,0.2,8\n"
    result = score(tmp_path, content, system="m", item="i", score=("two",), lower=("two",))
    assert values(result) == {"a": 3.5, "b": 8.5}
    (info,) = result.evaluations[0].metrics
    assert (info.name, info.better) == ("two", "lower")


def test_one_file_for_each_system_is_named_by_its_file(tmp_path):
    result = score(tmp_path, "id,score\n1,0.5\n2,1\n", "id,score\n1,0\n2,0.5\n")
    assert values(result) == {"table0": 0.75, "table1": 0.25}


@pytest.mark.parametrize(
    ("cells", "kind", "span"),
    [
        ("0 1 1", "0/1", (0.0, 1.0)),
        ("0.5 0.25 1", "share", (0.0, 1.0)),
        ("3 0 17", "count", (0.0, math.inf)),
        ("3.5 0 17", "real", (0.0, math.inf)),
        ("-3.5 0 17", "real", (-math.inf, math.inf)),
    ],
)
def test_the_range_of_a_score_follows_from_its_values(tmp_path, cells, kind, span):
    rows = "".join(f"q{number},{cell}\n" for number, cell in enumerate(cells.split()))
    (one,) = score(tmp_path, f"id,score\n{rows}").evaluations
    assert one.metrics[0].range == span
    (given,) = score(tmp_path, f"id,score\n{rows}", kind=(f"score={kind}",)).evaluations
    assert given.metrics[0].range == span


def test_a_given_range_and_direction_replace_those_of_the_name(tmp_path):
    table = "id,wer\n1,0.5\n2,0.1\n"
    assert score(tmp_path, table).evaluations[0].metrics[0].better == "lower"
    changed = score(tmp_path, table, higher=("wer",), range=("wer=-1:2",))
    info = changed.evaluations[0].metrics[0]
    assert (info.better, info.range) == ("higher", (-1.0, 2.0))
    assert errors(score(tmp_path, table, range=("wer=much",))) == [
        'The range or kind "wer=much" cannot be read.'
    ]


def test_missing_scores_are_left_out_count_as_zero_or_are_an_error(tmp_path):
    table = "system,item,acc\na,q1,1\na,q2,\nb,q1,1\nb,q2,1\nb,q3,1\n"
    left_out = score(tmp_path, table)
    assert values(left_out) == {"a": 1.0, "b": 1.0}
    assert [one.found for one in left_out.defects if one.severity == "warning"] == [
        'a: 1 item without a row: "q3".',
        "a: 1 item without acc.",
    ]
    assert values(score(tmp_path, table, missing="zero")) == {"a": pytest.approx(1 / 3), "b": 1.0}
    refused = score(tmp_path, table, missing="error")
    assert list(values(refused)) == ["b"]
    assert "a: 1 item without acc." in errors(refused)


def test_repeated_rows_are_an_error_unless_the_options_say_what_they_mean(tmp_path):
    table = "system,item,acc\na,q1,1\na,q1,0\na,q2,1\n"
    assert errors(score(tmp_path, table)) == ['a: The item "q1" has 2 rows.']
    assert values(score(tmp_path, table, repeats="mean")) == {"a": 0.75}
    assert values(score(tmp_path, table, repeats="first")) == {"a": 1.0}
    assert values(score(tmp_path, table, repeats="last")) == {"a": 0.5}
    epochs = "item,epoch,acc\nq1,1,1\nq1,2,0\nq2,1,1\nq2,2,1\n"
    assert values(score(tmp_path, epochs)) == {"table0": 0.75}


def test_a_cell_that_is_no_number_is_an_error_with_its_line(tmp_path):
    rows = "".join(f"q{number},{number / 10}\n" for number in range(9))
    result = score(tmp_path, f"id,acc\n{rows}q9,=SUM(A1)\n")
    assert errors(result) == ['The cell "=SUM(A1)" of the column "acc" is not a number.']
    assert result.defects[0].place.line == 11


def test_a_sentence_about_a_cell_is_one_line_of_printable_signs(tmp_path):
    rows = "".join(f"q{number},{number / 10}\n" for number in range(9))
    for cell, shown in (('"a\nb\x07"', '"a b "'), ("x" * 99, '"' + "x" * 60 + '"')):
        (found,) = errors(score(tmp_path, f"id,acc\n{rows}q9,{cell}\n"))
        assert found == f'The cell {shown} of the column "acc" is not a number.'
    table = 'system,item,acc\na,"q\n1",1\na,"q\n1",0\n'
    assert errors(score(tmp_path, table)) == ['a: The item "q 1" has 2 rows.']


def test_weights_give_a_weighted_mean_and_groups_are_resampled_together(tmp_path):
    right = [int(n % 3 == 0) for n in range(40)]
    rows = "".join(f"q{n},{x},{1 + x},g{n // 2}\n" for n, x in enumerate(right))
    (one,) = score(tmp_path, f"id,acc,weight,album\n{rows}").evaluations
    assert one.scores[0].value == pytest.approx(14 / 27)  # 14 * 2 / (14 * 2 + 26)
    assert one.scores[0].interval.method.endswith("of 20 groups")
    rows = "".join(f"q{n},{n % 2},g{n // 2}\n" for n in range(40))
    (grouped,) = score(tmp_path, f"id,acc,album\n{rows}").evaluations
    assert grouped.scores[0].interval.method.endswith("of 20 groups")


def test_the_table_of_items_gives_weights_and_says_which_items_count(tmp_path):
    items = "item,weight,topic\nq1,1,x\nq2,3,y\n"
    table = "item,acc\nq1,1\nq2,0\nq3,1\n"
    (one,) = score(tmp_path, table, references=items).evaluations
    assert one.items.ids == ("q1", "q2")
    assert one.scores[0].value == 0.25
    assert TASK.presentation.attributes(one.items)["topic"]() == ["x", "y"]


def test_texts_slices_and_pictures_are_the_evidence_of_an_item():
    folder = example_folder(TASK)
    result = score_submissions(
        TASK, files_by_role(example_inputs(TASK, folder)), TableOptions(), Run()
    )
    items = result.evaluations[0].items
    titles = [one.title for one in TASK.explain(items.show(0))]
    assert titles == ["question", "reference", "answer", "topic"]
    assert set(TASK.presentation.attributes(items)["topic"]()) == {"numbers", "people", "world"}


def test_the_number_of_a_group_is_the_same_in_every_file(tmp_path):
    one, other = "id,acc,album\n1,1,x\n2,0,y\n", "id,acc,album\n2,0,y\n1,1,x\n"
    first, second = score(tmp_path, one, other).evaluations
    assert first.items.columns["group"].tolist() == second.items.columns["group"].tolist()[::-1]


def test_a_check_lists_every_system_of_a_file(tmp_path):
    (tmp_path / "a.csv").write_text(LONG, "utf-8")
    found = check_inputs(
        TASK, files_by_role({"results": [tmp_path / "a.csv"]}), TableOptions(), Run()
    )
    assert [one.system for one in found.entries] == ["a", "b"]


def test_a_table_of_totals_and_one_without_scores_are_refused(tmp_path):
    assert errors(score(tmp_path, "system,acc\na,0.5\nb,0.25\n", layout="rows")) == [
        "The table has one row for each system; scores of single items are needed."
    ]
    assert errors(score(tmp_path, "system,item,text\na,q1,yes it is\nb,q1,not at all\n")) == [
        "The table has no column of scores: none has numbers for most of its rows."
    ]
    (sentence,) = errors(score(tmp_path, LONG, score=("f1",)))
    assert sentence == 'The table has no column "f1".'


@pytest.mark.parametrize(
    "content",
    [
        '{"a": {"q1": 1, "q2": 0, "q3": 0.5}, "b": {"q1": 0, "q2": 0, "q3": 0.3}}',
        '{"q1": {"a": 1, "b": 0}, "q2": {"a": 0, "b": 0}, "q3": {"a": 0.5, "b": 0.3}}',
        '{"a": {"q1": {"rank": 1}, "q2": {"rank": 0}, "q3": {"rank": 0.5}},'
        ' "b": {"q1": {"rank": 0}, "q2": {"rank": 0}, "q3": {"rank": 0.3}}}',
    ],
)
def test_of_two_levels_of_names_that_with_fewer_are_the_systems(content, tmp_path):
    result = score(tmp_path, content)
    assert values(result) == pytest.approx({"a": 0.5, "b": 0.1})
    assert all(one.items.ids == ("q1", "q2", "q3") for one in result.evaluations)


def test_as_many_names_on_both_levels_are_asked_for(tmp_path):
    square = '{"a": {"b": 1, "c": 0}, "d": {"b": 0.5, "c": 0.5}}'
    assert errors(score(tmp_path, square)) == [
        "The JSON has as many names outside as inside: either may be the systems."
    ]
    assert values(score(tmp_path, square, layout="items")) == {"a": 0.5, "d": 0.5}
    assert values(score(tmp_path, square, layout="systems")) == {"b": 0.75, "c": 0.25}


@pytest.mark.parametrize(
    "content",
    [
        "key,a,b\nq1,1,0\nq2,0.5,0.5\n",
        '[{"key": "q1", "a": 1, "b": 0}, {"key": "q2", "a": 0.5, "b": 0.5}]',
    ],
)
def test_a_column_called_key_is_no_question_of_levels(content, tmp_path):
    assert values(score(tmp_path, content)) == {"a": 0.75, "b": 0.25}


def test_names_of_systems_and_metrics_may_be_those_of_our_columns(tmp_path):
    scores = '{"q1": 1, "q2": 0, "q3": 1, "q4": 0}'
    named = score(tmp_path, f'{{"key": {scores}, "b": {scores}, "c": {scores}}}')
    assert values(named) == {"b": 0.5, "c": 0.5}
    assert any("Left out: key." in one.found for one in named.defects)  # an id by its name
    one = '"q1": {"item": 9, "acc": 1}, "q2": {"item": 8, "acc": 0}, "q3": {"item": 9, "acc": 0.5}'
    for found in score(tmp_path, f'{{"a": {{{one}}}, "b": {{{one}}}}}').evaluations:
        assert found.items.ids == ("q1", "q2", "q3")
        assert {score.metric: score.value for score in found.scores}["acc"] == 0.5


@pytest.mark.parametrize(
    ("head", "is_table"),
    [
        (LONG.encode(), True),
        (b"query\tsystem\tndcg@10\n1\ta\t0.5\n", True),
        (b"name,address\nx,y\n", False),
        (b"1 Q0 doc 1 0.5 run\n", False),
        (b'[{"image_id": 1, "caption": "a"}]', False),
        (b"PAR1\x15\x04", True),
    ],
)
def test_a_dropped_table_is_recognized_by_its_columns(head, is_table):
    assert (sniff(head) is not None) is is_table


@pytest.mark.parametrize(
    ("header", "kind"),
    [
        ("query,candidate,distance", "keyword-spotting"),
        ("query_id,entry,score", "keyword-spotting"),
        ("query,document,cosine", "keyword-spotting"),
        ("model,question_id,correct", "table"),
    ],
)
def test_three_columns_are_distances_unless_the_header_names_systems(header, kind):
    head = f"{header}\nq1,d1,0.9\nq1,d2,0.8\nq2,d1,0.3\n"
    assert registry().sniff(head.encode())[0][0].id == kind


@pytest.mark.parametrize("header", ["image,width,height", '"image_id","h","w"'])
def test_sizes_of_pictures_are_no_distances(header):
    head = f"{header}\n1,640,480\n2,480,640\n3,320,240\n"
    assert "keyword-spotting" not in [task.id for task, _ in registry().sniff(head.encode())]


def test_a_table_in_utf_16_is_recognized_as_surely_as_in_utf_8():
    assert sniff(LONG.encode("utf-16")) == sniff(LONG.encode())


NAMES = (
    *("keyword-spotting", "vqa", "retrieval", "captions", "vist", "visdial", "visdial-ranks"),
    *("fusionbrain", "declared", "region-captions"),
)


@pytest.mark.parametrize("blocks", [csv_blocks, jsonl_blocks])
@pytest.mark.parametrize("name", NAMES)
def test_exported_items_read_again_have_the_same_scores_and_intervals(tmp_path, name, blocks):
    task = find_competition(name)
    folder = example_folder(task)
    inputs = example_inputs(task, folder)
    options = example_options(task, folder)
    if name == "fusionbrain":  # its networks take longer than a test may
        options = replace(options, subtask="textqa")
    before = score_submissions(task, files_by_role(inputs), options, Run()).evaluations
    again = score(tmp_path, b"".join(blocks(before))).evaluations
    assert [one.system for one in again] == [one.system for one in before]
    compared = 0
    for first, second in zip(before, again, strict=True):
        for metric in second.scores:
            wanted = first.score(metric.metric)
            if wanted.n != metric.n:  # the score is over other items than those with a value
                continue
            assert metric.value == pytest.approx(wanted.value, rel=1e-12)
            assert (metric.interval is None) == (wanted.interval is None)
            if metric.interval is not None:
                assert metric.interval.low == pytest.approx(wanted.interval.low, abs=1e-12)
                assert metric.interval.high == pytest.approx(wanted.interval.high, abs=1e-12)
                groups = wanted.interval.method.replace(task.scoring.group_noun[1], "groups")
                assert metric.interval.method == groups
            compared += 1
    assert compared


@pytest.mark.parametrize("name", ["keyword-spotting", "vqa", "captions", "vist", "visdial"])
def test_exported_items_read_again_have_the_same_ranks_and_p(tmp_path, name):
    task = find_competition(name)
    folder = example_folder(task)
    inputs, options = example_inputs(task, folder), example_options(task, folder)
    before = score_submissions(task, files_by_role(inputs), options, Run()).evaluations
    result = score(tmp_path, b"".join(csv_blocks(before)))
    left_out = [one.found for one in result.defects if "not means over items" in one.found]
    combined = {one.metric for one in before[0].scores} - {
        one.metric for one in result.evaluations[0].scores
    }
    assert bool(left_out) is bool(combined)
    read = with_metrics(TASK, (info for one in result.evaluations for info in one.metrics))
    metric = result.evaluations[0].scores[0].metric
    found = [
        compare_all_pairs(
            competition,
            competition.metric(metric),
            options.profile,
            [Entrant(one.system, one.score(metric).value, one.items) for one in evaluations],
            Run(),
        )
        for competition, evaluations in ((task, before), (read, result.evaluations))
    ]
    wanted, again = ([(one.p, one.corrected, one.difference) for one in x.pairs] for x in found)
    assert again == wanted
    assert len(wanted) == 3
    assert found[1].ranks == found[0].ranks


def test_items_whose_scores_are_no_means_are_refused(tmp_path):
    task = find_competition("densecap")
    inputs = example_inputs(task, example_folder(task))
    options = example_options(task, example_folder(task))
    before = score_submissions(task, files_by_role(inputs), options, Run()).evaluations
    result = score(tmp_path, b"".join(csv_blocks(before)))
    assert result.evaluations == ()
    (entry,) = result.entries
    assert entry.defects[-1].found == "No score of these items is a mean over them."


def test_results_that_declare_a_metric_differently_share_the_widest_range(tmp_path):
    result = score(tmp_path, "id,score\n1,0.5\n2,1\n", "id,score\n1,-3\n2,40\n")
    task = with_metrics(TASK, (info for one in result.evaluations for info in one.metrics))
    assert task.metric("score").range == (-math.inf, math.inf)
    assert with_metrics(TASK, (info for one in result.evaluations for info in one.metrics)) is task


def test_columns_without_a_use_and_a_table_without_systems_are_told(tmp_path):
    content = "approach_used,item,acc,batch_id\nours,q1,1,7\nours,q2,0,7\n"
    found = [one.found for one in score(tmp_path, content).defects]
    note = next(one for one in found if one.startswith("Columns:"))
    assert "No column names systems: the file is one system." in note
    assert "Left out: batch_id." in note
    assert all("No column names" not in one.found for one in score(tmp_path, LONG).defects)


def test_a_table_of_several_systems_is_scored_once_for_all_their_stamps(tmp_path, monkeypatch):
    stamps = [Stamp.from_json(one.stamp) for one in score(tmp_path, LONG).evaluations]
    calls = []

    def count(*given, **named):
        calls.append(given)
        return score_submissions(*given, **named)

    monkeypatch.setattr(verify_stamp, "score_submissions", count)
    before = ScoredBefore()
    verdicts = [verify_stamp.verify_stamp(one, TASK, (), Run(), before) for one in stamps]
    assert [one.match for one in verdicts] == [True, True]
    assert len(calls) == 1
    (tmp_path / "table0.csv").write_text(LONG.replace("q2,0", "q2,1"))
    assert not verify_stamp.verify_stamp(stamps[0], TASK, (), Run(), before).match


def test_items_that_this_program_exported_may_be_dropped(tmp_path):
    path = tmp_path / "items.csv"
    path.write_text("system,profile,item,hits\nx,published,1,0.5\n")
    (found,) = classify_files([path], Run())
    assert found.guesses.keys() == {"table"}
    assert file_kind(TASK, path) == ("submission", "")
    assert file_kind(find_competition("vist"), path)[0] == "other"


SYSTEMS, ITEMS = ("a", "b", "c"), 8
TEXTS, MISSING = ("much", "1_0", "∞", "0x1"), ("", "NaN", "inf", "n/a")
HARMLESS = {
    "separator": lambda dice, rows: (dice.choice("\t;|").join, rows, "utf-8"),
    "encoding": lambda dice, rows: (
        ",".join, _texts(rows, "äß"), dice.choice(["utf-8-sig", "utf-16", "utf-8"])
    ),
    "code page": lambda dice, rows: (",".join, _texts(rows, dice.choice(["ответ", "naïve"])), ""),
    "formula in a text": lambda dice, rows: (
        ",".join, _texts(rows, dice.choice(["=1+1", "@x", "+cmd|x", "-2"])), "utf-8"
    ),
    "decimal commas": lambda dice, rows: (
        ";".join, [[cell.replace(".", ",") for cell in row] for row in rows], "utf-8"
    ),
    "percentages": lambda dice, rows: (",".join, _scores(rows, _percent), "utf-8"),
    "quotes": lambda dice, rows: (
        ",".join, [[f'"{cell}"' for cell in row[:3]] + row[3:] for row in rows], "utf-8"
    ),
    "order": lambda dice, rows: (",".join, [rows[0], *dice.sample(rows[1:], 24)], "utf-8"),
    "blanks": lambda dice, rows: (
        ",".join, [[f" {cell} " for cell in row] for row in rows], "utf-8"
    ),
}  # fmt: skip
"""Ways to write the same scores: separator, rows and encoding; empty for a code page."""
HARMFUL = {
    "a key twice": lambda dice, rows: [*rows, dice.choice(rows[1:])],
    "a formula as a score": lambda dice, rows: _one_score(dice, rows, "=1+1"),
    "a text as a score": lambda dice, rows: _one_score(dice, rows, dice.choice(TEXTS)),
    "a score is missing": lambda dice, rows: _one_score(dice, rows, dice.choice(MISSING)),
    "mixed percentages": lambda dice, rows: _one_score(dice, rows, "50%"),
    "beyond all numbers": lambda dice, rows: _one_score(dice, rows, "1e999"),
    "a cell too many": lambda dice, rows: [*rows[:-1], [*rows[-1], "more"]],
    "a cell too few": lambda dice, rows: [*rows[:-1], rows[-1][:2]],
    "no name of an item": lambda dice, rows: [*rows[:-1], [rows[-1][0], "", *rows[-1][2:]]],
    "an item is lacking": lambda dice, rows: rows[: -dice.randrange(1, 4)],
    "an open quotation mark": lambda dice, rows: [*rows[:-1], ['"a', *rows[-1][1:]]],
    "a byte of zero": lambda dice, rows: [*rows[:-1], [*rows[-1][:3], "a\0b"]],
    "only names": lambda dice, rows: rows[:1],
    "no names": lambda dice, rows: rows[1:],
    "10,000 columns": lambda dice, rows: [[*row, *map(str, range(10_000))] for row in rows],
    "names twice": lambda dice, rows: [["system", "item", "acc", "acc"], *rows[1:]],
}  # fmt: skip
"""Damages, each of which is refused, or named before the scores are shown."""


def _percent(cell: str) -> str:
    return f"{100 * float(cell):g}%"


def _scores(rows, change):
    return [rows[0], *([*row[:2], change(row[2]), *row[3:]] for row in rows[1:])]


def _texts(rows, text):
    return [rows[0], *([*row[:3], text] for row in rows[1:])]


def _one_score(dice, rows, text):
    changed = dice.randrange(1, len(rows))
    return [
        [*row[:2], text, *row[3:]] if number == changed else row for number, row in enumerate(rows)
    ]


def _sound_rows(dice):
    """Return the rows of a table with a score of a quarter for each of the items, and the means."""
    scores = {one: [dice.randrange(5) / 4 for _ in range(ITEMS)] for one in SYSTEMS}
    rows = [[one, f"q{n}", f"{scores[one][n]:.2f}", "x"] for one in SYSTEMS for n in range(ITEMS)]
    means = {one: sum(values) / ITEMS for one, values in scores.items()}
    return [["system", "item", "acc", "answer"], *rows], means


@pytest.mark.parametrize("way", HARMLESS)
def test_the_same_scores_written_otherwise_are_the_same_scores(tmp_path, way):
    for seed in range(20):
        dice = random.Random(f"{way} {seed}")
        rows, means = _sound_rows(dice)
        join, changed, encoding = HARMLESS[way](dice, rows)
        text = dice.choice(["\n", "\r\n"]).join(map(join, changed))
        page = "cp1251" if "ответ" in text else "cp1252"
        result = score(tmp_path, text.encode(encoding or page))
        found = {one.system: one.score("acc").value for one in result.evaluations}
        assert found == pytest.approx(means), (seed, errors(result))


@pytest.mark.parametrize("damage", HARMFUL)
def test_every_damage_of_a_table_is_refused_or_named_in_short_sentences(tmp_path, damage):
    for seed in range(20):
        dice = random.Random(f"{damage} {seed}")
        rows, _ = _sound_rows(dice)
        text = "\n".join(map(",".join, HARMFUL[damage](dice, rows)))
        result = score(tmp_path, text.encode())
        said = [one.found for one in result.defects if not one.found.startswith("Columns:")]
        said += [one.found for entry in result.entries for one in entry.defects[1:]]
        assert said, seed
        assert all(len(one.split()) <= 25 for one in said), said
        assert result.evaluations or errors(result), seed
        for one in result.evaluations:
            assert np.isfinite([value.value for value in one.scores if value.n]).all()


@pytest.mark.parametrize("work", [check_competition, score_competition])
def test_a_name_for_a_file_that_names_its_systems_is_told(work, tmp_path):
    def told(content, name):
        path = tmp_path / "table.csv"
        path.write_text(content)
        given = explicit_files(TASK, {"results": [path]}, [name])
        outcome = work(CompetitionFiles(None, TASK, given, TableOptions()), Run())
        return [one.found for one in outcome.defects if one.severity == "warning"]

    several = "system,item,acc\na,1,1\na,2,0\nb,1,0\nb,2,1\n"
    unused = "The file names its systems itself: the name Mine is not used."
    assert told(several, "Mine") == [unused]
    assert told(several, "a") == told("item,acc\n1,1\n2,0\n", "Mine\n") == []
