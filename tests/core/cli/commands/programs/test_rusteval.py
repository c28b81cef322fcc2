from __future__ import annotations

import json

import pytest

from support.files.icfhr import judgements_text, results_text, word
from support.oracles import oracle

FOLDER = "keyword_spotting/icfhr"


def cases():
    """Return the output of rusteval 0.5.0 for the files that both programs score."""
    for case in json.loads(oracle(f"{FOLDER}/cases.json").read_text("utf-8")):
        own = oracle(f"{FOLDER}/{case['name']}.gt.xml").exists()
        if own and case["rusteval"] and not case["is_refused"]:
            yield pytest.param(case, id=case["name"])


@pytest.mark.parametrize("case", list(cases()))
def test_the_table_has_the_numbers_that_rusteval_printed(jurydesk, case):
    name = case["name"]
    outcome = jurydesk(
        "rusteval", oracle(f"{FOLDER}/{name}.gt.xml"), oracle(f"{FOLDER}/{name}.res.xml")
    )
    assert outcome.code == 0
    lines = outcome.out.splitlines()
    columns = lines[0].split()
    rows = {line.split()[0]: line.split()[1:] for line in lines[2:-4]}
    rows["mean"] = lines[-1].split()
    printed = {**case["rusteval"], "mean": case["rusteval_mean"]}
    for query, values in printed.items():
        found = dict(zip(columns, map(float, rows[query]), strict=True))
        # The original adds up its means in random order.
        assert found == (pytest.approx(values, abs=1.1e-5) if query == "mean" else values)


def test_average_precision_is_rounded_to_single_precision_at_every_step(jurydesk, files):
    """Double precision gives a little less than 0.959375; rusteval prints 0.95938."""
    ranks = (1, 2, 3, 4, 5, 6, 8, 10)
    words = [word(x=rank) for rank in range(1, 11)]
    judged = {"q": [words[rank - 1] for rank in ranks]}
    outcome = jurydesk("rusteval", *files(judged, {"q": words}))
    assert outcome.out.splitlines()[2] == "q\t\t1.00000\t\t1.00000\t\t0.95938"


def test_the_layout_is_that_of_rusteval(jurydesk):
    name = "random_1"
    outcome = jurydesk(
        "rusteval", oracle(f"{FOLDER}/{name}.gt.xml"), oracle(f"{FOLDER}/{name}.res.xml")
    )
    lines = outcome.out.splitlines()
    assert lines[0] == "\t\tprecAt5         precAt10        ap              "
    assert lines[1] == lines[-2] == "=" * 71
    assert lines[-4] == "-" * 72
    assert lines[-3] == "MEAN:\t\tprecAt5         precAt10        ap              "
    assert lines[-1].startswith("\t\t")
    assert lines[-1].endswith("\t\t")
    assert all(line.count("\t\t") == 3 for line in lines[2:-4])


@pytest.fixture
def files(tmp_path):
    def write(judged, listed):
        paths = tmp_path / "gt.xml", tmp_path / "res.xml"
        for path, text in zip(paths, (judgements_text(judged), results_text(listed)), strict=True):
            path.write_text(text)
        return paths

    return write


def graded(*places):
    return [word(x, relevance="1") for x in places]


def test_queries_are_in_natural_order(jurydesk, files):
    queries = {f"q{number}": graded(0) for number in (10, 2, 1)}
    lines = jurydesk("rusteval", *files(queries, queries)).out.splitlines()
    assert [line.split()[0] for line in lines[2:-4]] == ["q1", "q2", "q10"]


def test_a_query_without_a_relevant_word_is_nan_and_left_out_of_the_means(jurydesk, files):
    judged, listed = {"a": [], "b": graded(0)}, {"a": [word(0)], "b": [word(0)]}
    outcome = jurydesk("rusteval", *files(judged, listed))
    assert outcome.code == 0
    assert "note  gt.xml: 1 query without a relevant item: a.\n" in outcome.err
    lines = outcome.out.splitlines()
    assert lines[2:4] == ["a\t\tNaN\t\tNaN\t\tNaN", "b\t\t1.00000\t\t1.00000\t\t1.00000"]
    assert lines[-1].split() == ["1.00000"] * 3


def test_where_rusteval_aborts_a_warning_is_written_to_standard_error(jurydesk, files):
    """Use lists shorter than k, and a query that the relevance file lacks."""
    listed = {"a": [word(0)], "zz": [word(0)]}
    outcome = jurydesk("rusteval", *files({"a": graded(0, 1)}, listed))
    assert outcome.code == 0
    assert outcome.out.splitlines()[2] == "a\t\t0.50000\t\t0.50000\t\t0.50000"
    assert 'warning  res.xml, line 6: 1 query is not in the relevance file: "zz".' in outcome.err
    assert 'note  res.xml, line 4: 1 query lists fewer than 10 words: "a".' in outcome.err


@pytest.mark.parametrize(
    ("swap", "reported"), [(True, "it belongs to Results"), (False, "line 4: query")]
)
def test_a_damaged_file_prints_no_table(jurydesk, files, swap, reported):
    broken = word(0).replace('width="10"', "")
    gt, res = files({"a": graded(0)}, {"a": [word(0) if swap else broken]})
    outcome = jurydesk("rusteval", *((res, gt) if swap else (gt, res)))
    assert outcome.code == 1
    assert outcome.out == ""
    assert reported in outcome.err
    assert outcome.err.endswith("Error: Nothing was scored: fix the errors above first.\n")


def test_a_single_file_is_wrong_usage(jurydesk, files):
    gt, _ = files({"a": graded(0)}, {"a": [word(0)]})
    outcome = jurydesk("rusteval", gt)
    assert outcome.code == 2
    assert "Missing argument 'RESULT'" in outcome.err
