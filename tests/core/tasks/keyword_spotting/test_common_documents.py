"""Results whose documents or boxes are not judged, or spelled otherwise, are told with examples."""

import pytest

from jurydesk.core.execution.engine import check_inputs, score_submissions
from jurydesk.core.execution.run import Run
from jurydesk.core.model.input_file import files_by_role
from jurydesk.core.tasks.keyword_spotting.keyword_spotting_options import KeywordSpottingOptions
from jurydesk.core.tasks.keyword_spotting.keyword_spotting_task import TASK


@pytest.fixture
def told(tmp_path):
    """Return a function that returns what a check, and scoring alike, says of a pair of files."""

    def of(relevance: str | bytes, results: str | bytes, **options):
        inputs = {}
        for role, content in (("relevance", relevance), ("results", results)):
            path = tmp_path / role
            path.write_bytes(content if isinstance(content, bytes) else content.encode())
            inputs[role] = (path,)
        chosen = KeywordSpottingOptions(**options)
        checked = check_inputs(TASK, files_by_role(inputs), chosen, Run()).entries[0].defects
        scored = (
            score_submissions(TASK, files_by_role(inputs), chosen, Run(), resamples=0)
            .entries[0]
            .defects
        )
        assert set(checked) == set(scored)
        return [*map(str, checked)]

    return of


def qrels(*names):
    return "".join(f"q1 0 {name} 1\n" for name in names)


def run(*names):
    lines = (f"q1 Q0 {name} {rank} {9 - rank} x\n" for rank, name in enumerate(names, 1))
    return "".join(lines)


@pytest.mark.parametrize(
    ("judged", "listed", "difference"),
    [
        ("10", "10.0", "a decimal point"),
        ("img", "img.jpg", "a suffix"),
        ("img.jpg", "img", "a suffix"),
        ("0012", "12", "leading zeros"),
        ("doc7", "doc007", "leading zeros"),
        ("Img", "IMG", "capital letters"),
        ("img", "train/img", "a folder"),
        ("caf\u00e9", "cafe\u0301", "the Unicode form"),
        ("img", "train/IMG.jpg", "several of these"),
    ],
)
def test_no_judged_document_is_one_warning_with_an_example_of_each_side(
    told, judged, listed, difference
):
    (warning,) = told(qrels(judged, "other"), run(listed, "x9"))
    assert warning == (
        f'warning  results: None of the 2 listed documents is judged: "{listed}" here, '
        f'"{judged}" in the relevance file.\n'
        f"       All of them count as not relevant. They differ in {difference}."
    )


def test_names_in_latin_1_are_recognized(told):
    (warning,) = told(qrels("caf\u00e9"), "q1 Q0 caf\u00e9 1 1 x\n".encode("latin-1"))
    assert warning.endswith("They differ in the encoding (Latin-1).")


def test_names_without_a_likeness_are_told_too(told):
    (warning,) = told(qrels("a"), run("zzz"))
    assert warning.endswith("Check that both files name the documents alike.")


def test_relevant_documents_of_another_spelling_beside_common_ones_are_told(told):
    relevance = qrels("caf\u00e9", "th\u00e9") + "q1 0 tea 0\n"
    (warning,) = told(relevance, run("cafe\u0301", "the\u0301", "tea"))
    assert "Relevant documents have another spelling" in warning
    assert "They count as not found. They differ in the Unicode form." in warning


def test_a_run_that_misses_relevant_documents_has_no_warning(told):
    assert told(qrels("a1", "a2", "b7") + "q1 0 c 0\n", run("c", "d", "e")) == []


def words(root, block, *boxes):
    lines = "".join(
        f'<word document="{page}" x="{x}" y="2" width="10" height="5" Text="a" Relevance="1"/>\n'
        if block == "GTRel"
        else f'<word document="{page}" x="{x}" y="2" width="10" height="5"/>\n'
        for page, x in boxes
    )
    return f'<{root}>\n<{block} queryid="a">\n{lines}</{block}>\n</{root}>\n'


TRUTH = words("GroundTruthRelevanceJudgements", "GTRel", ("p1", 1), ("p1", 30))


def results(*boxes):
    return words("RelevanceListings", "Rel", *boxes)


def test_boxes_that_are_a_pixel_off_are_told(told):
    defects = told(TRUTH, results(("p1", 2), ("p1", 31)))
    assert defects[-1] == (
        "warning  results: None of the 2 listed words has a judged box: [2, 2, 10, 5] "
        "here, [1, 2, 10, 5] in the relevance file.\n"
        "       All of them count as not relevant. They differ by 1 pixel at most."
    )


def test_other_pages_and_tied_scores_are_told_by_a_check_as_well(told):
    elsewhere = told(TRUTH, results(("p2", 1)))
    assert any("1 word has the box of a relevant word on another page" in one for one in elsewhere)
    tied = told(qrels("a"), "q1 Q0 a 1 1 x\nq1 Q0 b 2 1 x\n")
    assert any("a relevant item shares its score with others" in one for one in tied)
