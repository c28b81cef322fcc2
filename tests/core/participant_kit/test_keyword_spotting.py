"""Browser page for ranked lists: it reports what the organiser's readers report."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jurydesk.core.competition.task_registry import find_competition
from jurydesk.core.model.json_codec import to_json
from support.files.mutations import mutated
from support.files.odd_trec import LINES, NUMBERS
from support.files.odd_xml import INSIDE, PROLOGS
from support.kits.browser_checker import BrowserChecker
from support.kits.cases import Case, cases
from support.kits.ranked_lists import QUERIES, TREC, WORD, XML, Pair, is_unread, small_blocks
from support.oracles import golden

MUTATIONS = 8

PIECES = {
    "xml": (
        *INSIDE[:60],
        *PROLOGS,
        WORD,
        "</Rel>",
        "<Rel queryid='q2'>",
        "\n",
        "\r",
        "'",
        '"',
        "-",
    ),
    "trec": (*LINES, *NUMBERS, *QUERIES, "\n", "\r", " ", "q1 Q0 d1 1 3 r\n", "q2 Q0 d2 2 9 r\n"),
}
GOOD = {"xml": XML, "trec": TREC}


def test_every_recorded_file_is_reported_alike(
    tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    severities: Counter[str] = Counter()
    for case in cases(tmp_path_factory.mktemp("cases")):
        references = case.references()
        if case.task.id != "keyword-spotting" or references.data is None:
            continue
        engine, path = BrowserChecker(case, tmp_path), tmp_path / "a submission"
        for seed, submission in enumerate(case.submissions):
            content = submission.read_bytes()
            for changed in (content, *mutated(content, MUTATIONS, seed)):
                path.write_bytes(changed)
                wanted = to_json(case.organiser(path, references.data))
                assert engine.check(changed, path) == json.loads(json.dumps(wanted)), changed[:300]
                severities.update(one["severity"] for one in wanted)
    assert min(severities[kind] for kind in ("error", "warning", "note")) > 10


def test_the_sample_of_the_competition_is_reported_alike(tmp_path: Path) -> None:
    gold = golden("keyword_spotting/icfhr_shared/sample.gt.xml")
    task = find_competition("keyword-spotting")
    assert task is not None
    submission = gold.with_name("sample.res.xml")
    case = Case(gold.name, task, {"relevance": (gold,)}, (submission,))
    references = case.references()
    assert references.data is not None
    wanted = to_json(case.organiser(submission, references.data))
    found = BrowserChecker(case, tmp_path).check(submission.read_bytes(), submission)
    assert found == json.loads(json.dumps(wanted))


@st.composite
def changed_files(draw: st.DrawFn, form: str) -> bytes:
    """Return a valid file with a few parts left out, repeated or overwritten."""
    content = GOOD[form].encode()
    parts = [piece.encode() for piece in PIECES[form]]
    for _ in range(draw(st.integers(1, 4))):
        start = draw(st.integers(0, len(content)))
        end = min(len(content), start + draw(st.sampled_from((0, 0, 1, 3, 40))))
        new = draw(
            st.sampled_from(parts) | st.binary(max_size=3) | st.just(content[start : end + 60])
        )
        content = content[:start] + new + content[end:]
    return content


@given(st.data(), st.sampled_from(sorted(GOOD)))
def test_any_change_of_a_valid_file_is_reported_alike(
    pairs: dict[str, Pair], small: dict[str, Pair], data: st.DataObject, form: str
) -> None:
    content = data.draw(changed_files(form))
    wanted, found = pairs[form].defects_of(content)
    assert found == wanted or is_unread(found, content)
    with small_blocks():
        wanted, found = small[form].defects_of(content)
    assert found == wanted or is_unread(found, content)


def test_a_valid_file_is_reported_as_valid(pairs: dict[str, Pair]) -> None:
    for form, content in GOOD.items():
        lines = content.replace('">', '">\n')  # a word has its own line
        assert pairs[form].defects_of(lines.encode()) == ([], [])
