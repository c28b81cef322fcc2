"""Keyword spotting from files to scores: formats, profiles, policies, and what is shown."""

from __future__ import annotations

import gzip
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pytest

from jurydesk.core.competition.task import Reading
from jurydesk.core.competition.task_registry import registry
from jurydesk.core.desk import Desk
from jurydesk.core.execution.engine import score_submissions as run_engine
from jurydesk.core.execution.run import Run
from jurydesk.core.model.defects import Defect
from jurydesk.core.model.evaluation import Evaluation, UsageError
from jurydesk.core.model.input_file import files_by_role
from jurydesk.core.model.options import options_json
from jurydesk.core.tasks.keyword_spotting.judgements import RankedLists
from jurydesk.core.tasks.keyword_spotting.keyword_spotting_evidence import RankedList
from jurydesk.core.tasks.keyword_spotting.keyword_spotting_options import KeywordSpottingOptions
from jurydesk.core.tasks.keyword_spotting.keyword_spotting_task import TASK
from jurydesk.core.tasks.keyword_spotting.trec import trec_reader
from support.files.icfhr import judgements_text, results_text, word
from support.files.trec import judgement_lines, result_lines
from support.oracles import data

QRELS = judgement_lines({"q1": {"a": 1, "b": 0, "c": 2}, "q2": {"a": 1}})
RESULTS = result_lines({"q1": [("a", 3), ("x", 2), ("c", 1)], "q2": [("b", 2), ("a", 1)]})
WORDS = judgements_text({"q1": [word(0), word(20)], "q2": [word(40)]})
RANKED = results_text({"q1": [word(0), word(60), word(20)], "q2": [word(60), word(40)]})


def write(folder: Path, relevance: str | bytes, results: str | bytes) -> tuple[Path, Path]:
    paths = folder / "relevance.txt", folder / "results.txt"
    for path, text in zip(paths, (relevance, results), strict=True):
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return paths


def read(paths: tuple[Path, Path], **options: object) -> Reading[RankedLists]:
    chosen = KeywordSpottingOptions(**options)  # type: ignore[arg-type]
    references = TASK.readers.read_references({"relevance": [paths[0]]}, chosen, Run())
    if references.data is None:
        return Reading(None, references.defects)
    return TASK.readers.read_submission(paths[1], references.data, chosen, Run())


def score_one(paths: tuple[Path, Path], **options: object) -> Evaluation:
    chosen = KeywordSpottingOptions(**options)  # type: ignore[arg-type]
    references = TASK.readers.read_references({"relevance": [paths[0]]}, chosen, Run()).data
    assert references is not None
    lists = TASK.readers.read_submission(paths[1], references, chosen, Run()).data
    assert lists is not None
    return TASK.scoring.evaluate(references, lists, chosen, Run())


def defect_texts(defects: tuple[Defect, ...]) -> list[str]:
    return [defect.found for defect in defects]


# Formats


@pytest.mark.parametrize("packed", [False, True], ids=["plain", "gzip"])
@pytest.mark.parametrize(
    ("text", "role", "format"),
    [
        (QRELS, "relevance", "relevance judgements for trec_eval"),
        (RESULTS, "results", "ranked lists for trec_eval"),
        ("# made by x\n\n" + RESULTS.replace(" ", "\t"), "results", "ranked lists for trec_eval"),
        ("\ufeff" + QRELS.replace("\n", "\r\n"), "relevance", "relevance judgements for trec_eval"),
        (WORDS, "relevance", "relevance judgements in ICFHR 2014 XML"),
        (RANKED, "results", "ranked lists in ICFHR 2014 XML"),
    ],
)
def test_files_are_distinguished_by_their_content(
    text: str, role: str, format: str, packed: bool
) -> None:
    head = text.encode()
    guess = TASK.readers.sniff(gzip.compress(head) if packed else head)
    assert guess is not None
    assert (guess.role, guess.format) == (role, format)


@pytest.mark.parametrize(
    "head",
    [b"", b"one two three four", b'{"team_name": 1}', b"\x00\x01\x02\x03 1 2 3", b"<html></html>"],
)
def test_other_files_are_not_claimed(head: bytes) -> None:
    assert TASK.readers.sniff(head) is None


def test_a_long_file_is_recognized_by_its_complete_lines() -> None:
    head = (RESULTS * 100).encode()
    guess = TASK.readers.sniff(head[: len(RESULTS) * 3 + 7])
    assert guess is not None
    assert guess.role == "results"


@pytest.mark.parametrize(("short", "line"), [(300, 1), (500, 501)])
def test_most_lines_of_judgements_decide_whatever_stands_first(
    short: int, line: int, tmp_path: Path
) -> None:
    """Lines of two fields may be relevant segments."""
    text = "".join(f"q1 a{number}\n" for number in range(short))
    text += "".join(f"q1 0 d{number} 1\n" for number in range(400))
    relevance, _ = write(tmp_path, text, RESULTS)
    reading = TASK.readers.read_references(
        {"relevance": [relevance]}, KeywordSpottingOptions(), Run()
    )
    assert reading.data is None
    assert reading.defects[0].place.line == line


def test_judgements_of_two_fields_beside_a_run_are_refused_for_their_own_lines(
    tmp_path: Path,
) -> None:
    relevance, results = write(tmp_path, "q1 a\nq1 b\nq1 c\nq2 a\nq2 b\n", RESULTS)
    inputs = {"relevance": [relevance], "results": [results]}
    reading = TASK.readers.read_references(inputs, KeywordSpottingOptions(), Run())
    assert defect_texts(reading.defects) == ["2 fields were found."] * 5
    assert {one.place.name for one in reading.defects} == {"relevance.txt"}


def test_both_files_must_have_the_same_format(tmp_path: Path) -> None:
    assert defect_texts(read(write(tmp_path, QRELS, RANKED)).defects) == [
        "This is XML, not a file in trec_eval's format."
    ]
    assert defect_texts(read(write(tmp_path, WORDS, RESULTS)).defects) == [
        "This is a file in trec_eval's format, but the relevance file is ICFHR 2014 XML."
    ]


def test_both_formats_give_the_same_numbers_for_the_same_lists(tmp_path: Path) -> None:
    trec = score_one(
        write(
            tmp_path,
            judgement_lines({"q1": {"a": 1, "b": 1}, "q2": {"c": 1}}),
            result_lines({"q1": [("a", 3), ("x", 2), ("b", 1)], "q2": [("x", 2), ("c", 1)]}),
        )
    )
    xml = score_one(write(tmp_path, WORDS, RANKED), profile="corrected")
    for score in trec.scores:
        assert score.value == xml.score(score.metric).value, score.metric


def test_the_competition_is_registered_completely() -> None:
    task = registry().tasks["keyword-spotting"]
    lists = ["queries", "query-set", "query-groups", "words", "stop-words"]
    assert [entry.role for entry in task.inputs] == ["relevance", "results", *lists, "images"]
    assert task.submission_input().role == "results"
    assert task.metric("P_7").name == "P_7"
    with pytest.raises(KeyError):
        task.metric("no_such_measure")


# Profiles and options


@pytest.mark.parametrize("profile", ["corrected", "icfhr"])
def test_trec_eval_files_have_one_profile(tmp_path: Path, profile: str) -> None:
    with pytest.raises(UsageError) as caught:
        read(write(tmp_path, QRELS, RESULTS), profile=profile)
    assert str(caught.value) == (
        f"Files in trec_eval's format have the profile published alone; {profile} is defined for "
        "ICFHR 2014 XML."
    )


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("RR@10", 'There is no measure "RR@10". Did you mean recip_rank?'),
        ("mapp", 'There is no measure "mapp". Did you mean map?'),
        ("qqq", 'There is no measure "qqq". Names are trec_eval\'s, such as P_7.'),
    ],
)
def test_an_unknown_measure_is_a_usage_error(tmp_path: Path, name: str, sentence: str) -> None:
    with pytest.raises(UsageError) as caught:
        read(write(tmp_path, QRELS, RESULTS), measures=name)
    assert str(caught.value) == sentence


def test_more_measures_are_computed_on_request(tmp_path: Path) -> None:
    evaluation = score_one(write(tmp_path, QRELS, RESULTS), measures="P_2, gm_map,P_5")
    assert evaluation.score("P_2").value == (1 / 2 + 1 / 2) / 2
    names = [score.metric for score in evaluation.scores]
    assert names.count("P_5") == 1
    assert names[-2:] == ["P_2", "gm_map"]


def test_ndcg_binary_is_for_xml(tmp_path: Path) -> None:
    with pytest.raises(KeyError):
        score_one(write(tmp_path, QRELS, RESULTS)).score("ndcg_binary")
    assert score_one(write(tmp_path, WORDS, RANKED)).score("ndcg_binary").value > 0


@pytest.mark.parametrize(
    ("level", "relevant"), [(None, 3.0), (1.0, 2.0), (0.5, 3.0), (0.0, 4.0), (2.0, 1.0)]
)
def test_the_relevance_level_decides_what_is_relevant(
    tmp_path: Path, level: float | None, relevant: float
) -> None:
    qrels = judgement_lines({"q1": {"a": 1, "b": 0, "c": 2, "d": 0.5}})
    evaluation = score_one(write(tmp_path, qrels, RESULTS), level=level)
    assert evaluation.score("num_rel").value == relevant


@pytest.mark.parametrize(
    ("chosen", "names"),
    [({"level": 2.0}, "--level"), ({"level": 2.0, "tie_range": True}, "--level, --tie-range")],
)
def test_options_without_effect_on_xml_are_reported(
    tmp_path: Path, chosen: dict[str, object], names: str
) -> None:
    relevance, _ = write(tmp_path, WORDS, RANKED)
    inputs = {"relevance": [relevance]}
    defect_texts = TASK.readers.read_references(
        inputs, KeywordSpottingOptions(**chosen), Run()
    ).defects
    assert defect_texts[-1].found == f"ICFHR 2014 XML has no use for {names}."
    assert (
        TASK.readers.read_references(inputs, KeywordSpottingOptions(), Run()).defects
        == defect_texts[:-1]
    )


def test_a_level_that_is_not_a_number_is_a_usage_error(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"^The level nan is no number"):
        score_one(write(tmp_path, QRELS, RESULTS), level=float("nan"))


@pytest.mark.parametrize("level", [0.0, -1.0, -5.0])
def test_an_unjudged_document_is_never_relevant(tmp_path: Path, level: float) -> None:
    qrels = judgement_lines({"q1": {"a": -1, "b": 0, "c": 2, "d": -2}})
    evaluation = score_one(write(tmp_path, qrels, RESULTS), level=level)
    assert evaluation.score("num_rel").value == 2


def test_missing_queries_are_left_out_or_counted(tmp_path: Path) -> None:
    paths = write(tmp_path, QRELS + "q3 0 a 1\n", RESULTS)
    skipped, counted = score_one(paths), score_one(paths, missing="zero")
    assert skipped.items.ids == ("q1", "q2")
    assert counted.items.ids == ("q1", "q2", "q3")
    assert counted.score("num_q").value == 3
    assert counted.score("num_rel").value == skipped.score("num_rel").value + 1
    assert counted.score("ap").value == pytest.approx(skipped.score("ap").value * 2 / 3)
    assert defect_texts(skipped.defects) == ["The means are over 2 of 3 queries."]
    assert defect_texts(counted.defects) == []


def test_missing_queries_of_xml_are_named(tmp_path: Path) -> None:
    reading = read(write(tmp_path, WORDS, results_text({"q1": [word(0)]})))
    assert "1 query of the relevance file has no results (first: q2)." in defect_texts(
        reading.defects
    )


def test_a_query_without_relevant_documents_counts_0_for_trec_eval(tmp_path: Path) -> None:
    evaluation = score_one(write(tmp_path, "q1 0 b 0\nq2 0 a 1\n", RESULTS))
    assert evaluation.items.columns["ap"].tolist() == [0.0, 0.5]
    assert evaluation.score("ap").value == 0.25
    (note,) = evaluation.defects
    assert str(note) == (
        "note  relevance.txt: 1 query without a relevant item: q1.\n"
        "       It counts as 0, as in trec_eval."
    )


def test_a_query_without_relevant_words_is_left_out(tmp_path: Path) -> None:
    paths = write(tmp_path, judgements_text({"q1": [], "q2": [word(40)]}), RANKED)
    evaluation = score_one(paths)
    assert np.isnan(evaluation.items.columns["ap"]).tolist() == [True, False]
    assert evaluation.score("ap").value == 0.5
    assert evaluation.score("ap").n == evaluation.score("num_q").value == 1
    assert "1 query without a relevant item: q1." in defect_texts(evaluation.defects)
    assert "The means are over 1 of 2 queries." in defect_texts(evaluation.defects)


def test_differences_between_the_profiles_are_reported(tmp_path: Path) -> None:
    elsewhere = word(20, document="p2")
    listed = results_text({"q1": [elsewhere, word(0), word(20)], "q2": [word(40)]})
    paths = write(tmp_path, WORDS, listed)
    published, corrected = score_one(paths), score_one(paths, profile="corrected")
    note = "1 query differs between the profiles published and corrected: q1."
    assert note in defect_texts(published.defects)
    assert note in defect_texts(corrected.defects)
    assert published.score("ap").value > 1.0
    assert corrected.items.columns["ap"].tolist() == [(1 / 2 + 2 / 3) / 2, 1.0]


def test_equal_profiles_are_not_reported(tmp_path: Path) -> None:
    notes = defect_texts(score_one(write(tmp_path, WORDS, RANKED)).defects)
    assert not any("differ" in note for note in notes)


def test_the_sample_of_rusteval_has_its_numbers() -> None:
    folder = "icfhr2014"
    paths = (
        data(f"{folder}/GroundTruthRelevanceJudgementsSample.xml"),
        data(f"{folder}/WordSpottingResultsSample.xml"),
    )
    evaluation = score_one(paths)
    columns = evaluation.items.columns
    assert columns["precAt10"].tolist() == pytest.approx([0.55555, 0.44444], abs=1e-5)
    assert columns["precAt5"].tolist() == [1.0, 0.8]
    assert score_one(paths, profile="icfhr").score("ndcg").value == pytest.approx(0.6395, abs=5e-5)


# The order of lines


def test_neither_the_order_of_lines_nor_of_queries_matters(tmp_path: Path) -> None:
    random = np.random.default_rng(7)
    names = [f"d{number}" for number in range(60)]
    judged = {f"q{n}": {d: int(random.integers(0, 3)) for d in names[:20]} for n in range(5)}
    ranked = {
        query: [(name, int(random.integers(0, 9))) for name in random.permutation(names)]
        for query in judged
    }
    expected = values(score_one(write(tmp_path, judgement_lines(judged), result_lines(ranked))))
    for shuffled in range(3):
        lines = [
            random.permutation(text.splitlines(keepends=True)).tolist()
            for text in (judgement_lines(judged), result_lines(ranked))
        ]
        paths = write(tmp_path, "".join(lines[0]), "".join(lines[1]))
        assert values(score_one(paths)) == expected, shuffled


def values(evaluation: Evaluation) -> Mapping[str, list[float]]:
    return {name: column.tolist() for name, column in evaluation.items.columns.items()}


@pytest.mark.parametrize("interleaved", [False, True])
def test_a_file_in_many_parts_is_scored_like_one_part(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, interleaved: bool
) -> None:
    random = np.random.default_rng(11)
    ranked = {
        f"q{n}": [(f"d{i}", round(float(random.normal()), 1)) for i in range(40)] for n in range(30)
    }
    judged = {query: {f"d{i}": int(i % 3) for i in range(0, 80, 2)} for query in ranked}
    lines = result_lines(ranked).splitlines(keepends=True)
    if interleaved:
        lines = lines[::2] + lines[1::2]
    paths = write(tmp_path, judgement_lines(judged), "".join(lines))
    whole = score_one(paths)
    monkeypatch.setattr(trec_reader, "LARGE", 0)
    monkeypatch.setattr(trec_reader, "PIECE", 1500)
    monkeypatch.setattr("jurydesk.core.readers.byte_blocks.BLOCK", 700)
    cut = score_one(paths)
    assert values(cut) == values(whole)
    assert cut.items.evidence is not None
    assert whole.items.evidence is not None
    for item in (0, 17, 29):
        assert repr(cut.items.evidence(item)) == repr(whole.items.evidence(item))


# What is shown


def test_an_evaluation_has_three_curves(tmp_path: Path) -> None:
    evaluation = score_one(write(tmp_path, QRELS, RESULTS))
    assert [figure.name for figure in evaluation.figures] == [
        "precision_recall_101",
        "precision_recall_11",
        "precision_at_rank",
    ]


def test_the_evidence_of_a_query_is_its_list(tmp_path: Path) -> None:
    evaluation = score_one(write(tmp_path, QRELS, RESULTS))
    evidence = evaluation.items.show(0)
    assert isinstance(evidence, RankedList)
    assert (evidence.query, evidence.listed, evidence.relevant) == ("q1", 3, 2)
    assert [(item.name, item.hit) for item in evidence.items] == [
        ("a", True),
        ("x", False),
        ("c", True),
    ]
    assert evidence.missed == ()
    assert dict(evidence.values)["ap"] == (1 + 2 / 3) / 2


@pytest.mark.parametrize("texts", [(QRELS, RESULTS), (WORDS, RANKED)], ids=["trec", "xml"])
def test_a_desk_keeps_the_list_of_every_query(tmp_path: Path, texts: tuple[str, str]) -> None:
    evaluation = score_one(write(tmp_path, *texts))
    items = evaluation.items
    with Desk.create(tmp_path / "desk.jurydesk") as desk:
        key = desk.add(evaluation)
    shown = [items.show(row) for row in range(len(items))]
    with Desk.open(tmp_path / "desk.jurydesk", read_only=True) as desk:
        kept = desk.load(key, TASK.readers.load_evidence).items
        assert repr([kept.show(row) for row in range(len(items))]) == repr(shown)
    assert [len(one.items) for one in shown if isinstance(one, RankedList)] == [3, 2]


def test_the_engine_scores_and_stamps_a_submission(tmp_path: Path) -> None:
    relevance, results = write(tmp_path, QRELS, RESULTS)
    inputs = {"relevance": [relevance], "results": [results]}
    result = run_engine(TASK, files_by_role(inputs), KeywordSpottingOptions(), Run(), resamples=50)
    (entry,) = result.entries
    assert entry.about == "run run"
    assert entry.evaluation is not None
    assert entry.evaluation.score("ap").interval is None
    assert entry.evaluation.score("num_rel").interval is None


def test_options_have_defaults_and_help() -> None:
    options = KeywordSpottingOptions()
    rules = options_json(options)
    of_lists = ("profile", "compat", "missing", "level", "ties", "tie_range", "measures")
    assert {name: rules.pop(name) for name in of_lists} == {
        "profile": "published",
        "compat": "trec9",
        "missing": "",
        "level": None,
        "ties": "docno",
        "tie_range": False,
        "measures": "",
    }
    assert options.missing_rule("trec") == options.missing_rule("xml") == "skip"
    assert options.missing_rule("overlap") == "zero"
    assert rules.pop("case") == "exact"
    assert rules.pop("curve_points") == 101
    assert not any(rules.values())


LOADED = """
import sys
from jurydesk.core.cli import main
main(["score", "keyword-spotting", "--quiet", "--relevance", sys.argv[1], "--results", sys.argv[2]])
print(*sys.modules, file=sys.stderr)
"""
UNUSED = {"jurydesk.core.intake.take_in", "numpy.ma", "rich", "scipy", "statistics", "zoneinfo"}


@pytest.mark.parametrize(
    ("files", "reader", "other"),
    [
        ((WORDS, RANKED), "icfhr.icfhr_reader", "trec.trec_reader"),
        ((QRELS, RESULTS), "trec.trec_reader", "icfhr.strict_reader"),
    ],
)
def test_scoring_loads_only_the_modules_that_its_files_need(
    tmp_path: Path, files: tuple[str, str], reader: str, other: str
) -> None:
    arguments = [sys.executable, "-c", LOADED, *map(str, write(tmp_path, *files))]
    done = subprocess.run(arguments, capture_output=True, text=True, check=False)
    loaded, package = set(done.stderr.split()), "jurydesk.core.tasks.keyword_spotting"
    assert f"{package}.{reader}" in loaded
    assert not loaded & {*UNUSED, f"{package}.{other}"}
