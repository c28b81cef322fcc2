"""Unusual lines of trec_eval files: the page reports what the organiser's reader reports."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from jurydesk.core.competition.task_registry import find_competition
from jurydesk.core.model.json_codec import to_json
from jurydesk.core.readers.bounded_defects import MOST
from support.files.odd_trec import TREC_CONTENTS
from support.kits.browser_checker import BrowserChecker
from support.kits.cases import Case
from support.kits.ranked_lists import GOLD, SMALL, WORD, Pair, small_blocks


@pytest.mark.parametrize("options", [{}, {"ties": "rank"}, {"compat": "trec10", "missing": "zero"}])
def test_unusual_lines_are_reported_alike(options: dict[str, str], tmp_path: Path) -> None:
    gold = tmp_path / "gold"
    gold.write_text(GOLD["trec"], encoding="utf-8")
    task = find_competition("keyword-spotting")
    assert task is not None
    case = Case("trec", task, {"relevance": (gold,)}, (), options)
    references, path = case.references().data, tmp_path / "run"
    engines = [
        (BrowserChecker(case, tmp_path), False),
        (BrowserChecker(case, tmp_path, sizes=SMALL), True),
    ]
    reported = set()
    for content in TREC_CONTENTS:
        path.write_bytes(content)
        for engine, is_small in engines:
            with small_blocks() if is_small else pytest.MonkeyPatch.context():
                wanted = to_json(case.organiser(path, references))
            assert engine.check(content, path) == json.loads(json.dumps(wanted)), content[:400]
            reported |= {one["found"] for one in wanted}
    assert len(reported) > 30


def test_many_defects_of_several_causes_are_counted_alike(pairs: dict[str, Pair]) -> None:
    short = [f"q1 Q0 d{number}" for number in range(MOST + 20)]
    twice = ["q1 Q0 a 1 1 x"] * 40
    contents = {
        "trec": "\n".join([*twice, *short, "q1 Q0 b 2 x y"]),
        "xml": "\n".join(
            [
                '<RelevanceListings><Rel queryid="a">',
                *[WORD.replace('x="1"', 'x="?"')] * (MOST + 20),
                *[WORD.replace('y="1"', 'y="?"')] * 30,
            ]
        ),
    }
    for form, content in contents.items():
        wanted, found = pairs[form].defects_of(content.encode())
        assert found == wanted
        assert sum(one["count"] for one in wanted) > MOST + 50
        assert len(wanted) < 30
