"""Methods paragraph: it describes the stamps and tests of a leaderboard, with citations."""

from __future__ import annotations

import re

import pytest

from jurydesk.core.cli import main
from jurydesk.core.competition.task_registry import registry
from jurydesk.core.export.bibliography import REFERENCES, cited_entries
from jurydesk.core.library.scoring import score
from jurydesk.core.system.paths import resources_folder
from support.examples import BUILT_IN

EXAMPLE = resources_folder() / "examples" / "keyword_spotting"


@pytest.fixture
def desk(tmp_path):
    path = tmp_path / "words.jurydesk"
    results = [EXAMPLE / f"{name}.xml" for name in ("stroke-matcher", "column-profiles")]
    score("keyword-spotting", relevance=EXAMPLE / "relevance.xml", results=results, desk=path)
    return path


def write_methods(desk, *options):
    target = desk.parent / "methods.tex"
    assert main(["board", str(desk), "--methods", str(target), "--quiet", *options]) == 0
    return target.read_text("utf-8")


def test_the_paragraph_states_what_was_scored_how_with_versions_tests_and_units(desk):
    text = write_methods(desk, "--metric", "ap", "--metric", "ndcg")
    assert text.count("We scored 2 systems on ") == 1
    assert "of the competition Keyword spotting with Jurydesk " in text
    assert "The profile published reproduces the original program" in text
    assert "We report Mean average precision~\\cite{pratikakis2014hkws} and nDCG~\\cite{" in text
    assert "Reference data: relevance.xml (SHA-256 " in text
    assert "studentized bootstrap, 1000 resamples over 11 queries (seed 20180601)" in text
    assert "(seed 20180601)~\\cite{efron1993bootstrap,clopper1934fiducial}" in text
    assert "tested two-sided by exact randomisation. " in text
    assert text.count("11 queries") == 2  # of the scores, and of the intervals
    assert "the procedure of" not in text  # a single pair has nothing to correct for
    assert "numpy " in text


def test_what_limits_a_metric_is_said_once_beside_it(tmp_path):
    folder, path = resources_folder() / "examples" / "captions", tmp_path / "captions.jurydesk"
    names = {"references": "annotations.json", "results": "lister.json"}
    score("captions", **{role: folder / name for role, name in names.items()}, desk=path)
    text = write_methods(path)
    assert text.count("CIDEr's word weights come from these images") == 1
    assert text.index("CIDEr's word weights") < text.index("Intervals (")


def test_every_citation_has_one_entry_and_no_entry_is_unused(desk):
    text = write_methods(desk)
    keys = {key for found in re.findall(r"\\cite{([^}]*)}", text) for key in found.split(",")}
    entries = re.findall(r"^@\w+{([^,]+),$", text, re.MULTILINE)
    assert sorted(entries) == sorted(keys)


def test_the_chosen_correction_of_several_pairs_is_named(desk):
    third = desk.parent / "third.xml"
    third.write_bytes((EXAMPLE / "stroke-matcher.xml").read_bytes() + b"\n")
    score(
        "keyword-spotting",
        relevance=EXAMPLE / "relevance.xml",
        results=third,
        names=["third"],
        desk=desk,
    )
    assert "the procedure of Romano-Wolf~\\cite{romano2005stepdown}" in write_methods(desk)
    text = write_methods(desk, "--correction", "holm")
    assert "the procedure of Holm~\\cite{holm1979multiple}" in text
    assert "romano2005stepdown" not in text
    assert "Rank intervals hold for all systems together at 95 " in text
    assert "\\cite{mogstad2024inference}" in text
    assert "Other metrics, profiles and slices are tested by themselves" in text


def test_the_numbers_behind_the_paragraph_can_be_computed_again(desk, capsys):
    write_methods(desk)
    paper = str(desk.parent / "methods.tex")
    assert main(["verify", paper, "--inputs", str(EXAMPLE)]) == 0
    assert capsys.readouterr().out.count(": match") == 2


def test_the_report_contains_the_same_text_with_keys_in_brackets(desk):
    target = desk.parent / "report.html"
    assert main(["board", str(desk), "--html", str(target), "--quiet"]) == 0
    page = target.read_text("utf-8")
    assert '<h2>Methods</h2><div lang="en"><p>We scored 2 systems on ' in page
    assert "@inproceedings{pratikakis2014hkws," in page


@pytest.mark.parametrize("task", BUILT_IN)
def test_the_source_of_every_metric_is_in_the_bibliography(task):
    for info in registry().tasks[task].scoring.metrics:
        assert cited_entries([info.source]), (info.name, info.source)


def test_keys_and_names_are_unique_and_braces_are_balanced():
    assert len({one.key for one in REFERENCES}) == len({one.named for one in REFERENCES})
    for one in REFERENCES:
        assert one.bibtex().count("{") == one.bibtex().count("}")
        assert one.bibtex().isascii()


def test_file_names_cannot_break_the_latex(tmp_path):
    path = tmp_path / "odd.jurydesk"
    odd = tmp_path / "truth_50%&more.xml"
    odd.write_bytes((EXAMPLE / "relevance.xml").read_bytes())
    score("keyword-spotting", relevance=odd, results=EXAMPLE / "stroke-matcher.xml", desk=path)
    assert r"truth\_50\%\&more.xml" in write_methods(path)
