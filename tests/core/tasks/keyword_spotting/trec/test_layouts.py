"""Other layouts of ranked lists and judgements have the numbers of trec_eval's lines."""

from __future__ import annotations

import json

import pytest

from jurydesk.core.execution.engine import score_submissions
from jurydesk.core.execution.run import Run
from jurydesk.core.intake.role_check import explain_wrong_roles
from jurydesk.core.model.input_file import files_by_role
from jurydesk.core.tasks.keyword_spotting.keyword_spotting_options import TrecPolicy
from jurydesk.core.tasks.keyword_spotting.keyword_spotting_task import TASK
from jurydesk.core.tasks.keyword_spotting.trec.trec_reader import read_lists, read_qrels

GRADES = {"q1": {"d1": 1, "d2": 0}, "q2": {"d3": 2, "d4": 0}}
SCORES = {"q1": {"d2": 3.5, "d1": 2.0}, "q2": {"d3": 1.25}}
QRELS = "".join(f"{q} 0 {d} {g}\n" for q, docs in GRADES.items() for d, g in docs.items())
ROWS = [
    (query, document, str(rank), str(score))
    for query, documents in SCORES.items()
    for rank, (document, score) in enumerate(documents.items(), start=1)
]
RUN = "".join(f"{q} Q0 {d} {r} {s} x\n" for q, d, r, s in ROWS)
READ = "It was read as trec_eval's lines."


def table(form, names=""):
    lines = [form.format(q=q, d=d, r=r, s=s) for q, d, r, s in ROWS]
    return "\n".join([*([names] if names else []), *lines, ""])


def records(*names):
    return [dict(zip(names, (q, d, float(s)), strict=True)) for q, d, _, s in ROWS]


def counted(mark, first):
    """Return the lines after a column that counts them."""
    return "".join(f"{n} {line}\n" for n, line in enumerate(RUN.splitlines(), first)).replace(
        " ", mark
    )


def hits(query, **more):
    return [more | {"docid": d, "score": s, "content": "a b"} for d, s in SCORES[query].items()]


def read(tmp_path, run=RUN, qrels=QRELS):
    (tmp_path / "qrels").write_text(qrels, encoding="utf-8")
    (tmp_path / "run").write_text(run, encoding="utf-8")
    judgements = read_qrels(tmp_path / "qrels", Run())
    if judgements.data is None:
        return None, judgements.defects
    lists = read_lists(tmp_path / "run", judgements.data, TrecPolicy(), Run())
    return lists.data, (*judgements.defects, *lists.defects)


def ranks(lists):
    return lists.rows.tolist(), lists.tied_ranks.ranks.tolist(), lists.listed.tolist()


@pytest.mark.parametrize(
    "run",
    [
        table("{q} Q0 {d} {r} {s} x", "qid Q0 docid rank score runid"),
        table("{q}\t0\t{d}\t{r}\t{s}\tx", "query_id\titer\tdoc_id\trank\tsim\ttag"),
        table("{q},Q0,{d},{r},{s},x"),
        table("{q};Q0;{d};{r};{s};x"),
        table('"{q}","Q0","{d}","{r}","{s}","x"', '"qid","q0","docno","rank","score","run"'),
        table("{q}\t{d}\t{r}\t{s}"),
        table("{q},{d},{r},{s}", "query,document,rank,score"),
        table("{q}\t{d}\t{r}"),
        table("{q}\t{d}\t{s}", "query-id\tcorpus-id\tscore"),
        table("7,{q},1,{d},{r},{s},a query", ",qid,docid,docno,rank,score,query"),
        table("7\t{q}\t1\t{d}\t{s}\ta long query", "\tqid\tdocid\tdocno\tscore\tquery"),
        table('7,"{q}",{d},{s},"a query, with a comma"', ",qid,docno,score,query"),
        table('"=""{q}""";"=""{d}""";{s};x', "sep=;\nquery_id;doc_id;score;text"),
        table("{d},{q},{r}", "docno,qid,rank"),
        json.dumps(SCORES),
        "\n".join(map(json.dumps, records("qid", "docid", "score"))),
        json.dumps(records("query_id", "doc_id", "sim"), indent=1),
        table("{q} Q0 {d} {r} {s}"),
        counted(" ", 0),
        counted(",", 1),
        json.dumps({q: [*docs.items()] for q, docs in SCORES.items()}),
        json.dumps([{"query": "a text", "qid": q, "hits": hits(q)} for q in SCORES]),
        json.dumps([{"query": "a text", "hits": hits(q, qid=q)} for q in SCORES]),
        "\n".join(
            json.dumps({"query": {"text": "a text", "qid": q}, "candidates": hits(q, doc={})})
            for q in SCORES
        ),
    ],
)
def test_ranked_lists_in_another_layout_have_the_same_ranks(run, tmp_path):
    plain, _ = read(tmp_path)
    found, defects = read(tmp_path, run)
    assert found is not None, defects
    assert ranks(found) == ranks(plain)
    assert [str(one.severity) for one in defects] == ["note"]


def test_documents_of_another_layout_are_listed_for_the_inspector(tmp_path):
    found, _ = read(tmp_path, table("{q}\t{d}\t{r}\t{s}"))
    assert found.file.rows_of(0).names.texts(range(3)) == ["d2", "d1", "d3"]


@pytest.mark.parametrize(
    "qrels",
    [
        "query-id\tcorpus-id\tscore\n" + QRELS.replace(" 0 ", "\t", 4).replace(" ", "\t"),
        "qid 0 docid relevance\n" + QRELS,
        "".join(f"{q},{d},{g}\n" for q, docs in GRADES.items() for d, g in docs.items()),
        "qid,docno,label,iteration\n"
        + "".join(f"{q},{d},{g},0\n" for q, docs in GRADES.items() for d, g in docs.items()),
        "\tdocno\tqid\tquery\tlabel\n"
        + "".join(
            f"0\t{d}\t{q}\ta b\t{g}\n" for q, docs in GRADES.items() for d, g in docs.items()
        ),
        json.dumps(GRADES),
        "".join(f"{number} {line}\n" for number, line in enumerate(QRELS.splitlines())),
    ],
)
def test_judgements_in_another_layout_have_the_same_grades(qrels, tmp_path):
    qrels = qrels.replace("d2\t0\t", "d2\t0").replace("d2 d2", "d2")
    plain, _ = read(tmp_path)
    found, defects = read(tmp_path, qrels=qrels)
    assert found is not None, defects
    assert found.relevance.gains.tolist() == plain.relevance.gains.tolist()
    assert ranks(found) == ranks(plain)


def test_a_line_end_within_quotation_marks_is_no_layout(tmp_path):
    lists, defects = read(tmp_path, 'a,"b",c\rd,e\n' * 3)
    assert lists is None
    assert defects


@pytest.mark.parametrize(
    ("run", "found", "hint"),
    [
        (
            table("{q},{d},{r},{s}") + "q9,d9\n",
            "The lines have 4 fields, separated by commas: query, document, rank, score.",
            "Every line needs the same fields, without blanks inside.",
        ),
        (
            "q1 d1 5\nq1 d2 9\n",
            "The lines have 3 fields, separated by blanks: query, document, rank.",
            "The third column holds no ranks from 1: give six columns.",
        ),
    ],
)
def test_a_layout_with_an_unfit_line_is_named(run, found, hint, tmp_path):
    lists, (defect,) = read(tmp_path, run)
    assert lists is None
    assert (defect.found, defect.hint) == (found, hint)


def test_a_first_line_without_names_is_no_header(tmp_path):
    lists, (defect,) = read(tmp_path, f"q1 Q0 d7 1 high x\n{RUN}")
    assert lists is None
    assert defect.found == 'The score "high" is not a number.'


def test_judgements_by_subtopic_are_named_and_not_thinned_out(tmp_path):
    _, (defect,) = read(tmp_path, qrels="q1 0 d0 0\nq1 1 d1 1\nq1 2 d1 1\nq1 2 d2 0\n")
    assert defect.place.line == 3
    assert defect.found == (
        "The second column differs for one document (1, 2): these are judgements by subtopic."
    )
    assert "emove" not in str(defect)


def test_a_document_judged_twice_alike_remains_an_error(tmp_path):
    _, (defect,) = read(tmp_path, qrels="q1 0 d1 1\nq1 0 d1 1\n")
    assert defect.found == 'Document "d1" is listed twice for query "q1" (first on line 1).'


def test_judgements_with_names_of_columns_are_no_lists_of_segments(tmp_path):
    """As BEIR's are; the readers by overlap would take three columns."""
    (tmp_path / "beir.tsv").write_text("query-id\tcorpus-id\tscore\nq1\td1\t1\nq2\td3\t2\n")
    (tmp_path / "run").write_text("q1 Q0 d1 1 3 r\nq2 Q0 d3 1 3 r\n")
    inputs = {"relevance": [tmp_path / "beir.tsv"], "results": [tmp_path / "run"]}
    found = score_submissions(TASK, files_by_role(inputs), TASK.scoring.options(), Run(jobs=1))
    assert [one.found for one in found.reference_defects] == [
        "The lines have 3 fields, separated by blanks: query, document, relevance."
    ]
    assert found.evaluations[0].score("map").value == 1.0


def test_judgements_with_names_are_no_distances_of_word_images(tmp_path):
    grades = [f"{q},{d},{g}\n" for q, docs in GRADES.items() for d, g in docs.items()]
    qrels, run = tmp_path / "qrels.csv", tmp_path / "run"
    qrels.write_text("query-id,corpus-id,score\n" + "".join(grades), encoding="utf-8")
    run.write_text(RUN, encoding="utf-8")
    files = files_by_role({"relevance": [qrels], "results": [run]})
    result = score_submissions(TASK, files, TASK.scoring.options(), Run(), resamples=0)
    told = explain_wrong_roles(TASK, files, result).defects
    assert [one.found for one in told if one.place.path == str(qrels)] == [
        "The lines have 3 fields, separated by commas: query, document, relevance."
    ]
    assert result.entries[0].evaluation is not None


def test_of_named_columns_those_that_are_read_are_told(tmp_path):
    run = table("7,{q},1,{d},{r},{s},a b", ",qid,docid,docno,rank,score,query")
    lists, (defect,) = read(tmp_path, run)
    assert lists is not None
    assert (defect.found, defect.hint) == (
        "The lines have 7 fields, of which these are read: qid, docno, rank, score.",
        READ,
    )
    lists, (defect,) = read(tmp_path, f"{run}7,q9,1,d 9,1,2.0,a b\n")
    assert lists is None
    assert (defect.place.line, defect.expected) == (len(ROWS) + 2, "Here is another layout.")
