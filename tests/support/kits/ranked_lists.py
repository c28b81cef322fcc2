"""Kits of ranked lists: the organiser's readers beside the page's checker."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from jurydesk.core.competition.task_registry import find_competition
from jurydesk.core.model.json_codec import to_json
from jurydesk.core.readers import byte_blocks
from jurydesk.core.tasks.keyword_spotting.icfhr import strict_reader
from jurydesk.core.tasks.keyword_spotting.trec import trec_reader
from support.kits.browser_checker import BrowserChecker
from support.kits.cases import Case

SMALL = {"block": 64, "piece": 150}
"""Blocks and pieces of a few lines, so that much happens at their ends."""
UNREAD = "which this page does not read: save it as UTF-8."

QUERIES = ("q1", "q2", "q\u00e9", "q10")
GOLD = {
    "xml": "<GroundTruthRelevanceJudgements>"
    + "".join(
        f'<GTRel queryid="{query}"><word document="p" x="1" y="1" width="1" height="1"/></GTRel>'
        for query in QUERIES
    )
    + "</GroundTruthRelevanceJudgements>",
    "trec": "".join(f"{query} 0 d1 1\n" for query in QUERIES),
}
WORD = '<word document="p" x="1" y="1" width="1" height="1"/>'
XML = (
    '<?xml version="1.0" encoding="utf-8"?>\n<RelevanceListings>\n'
    f' <Rel queryid="q1">\n  {WORD}\n  {WORD}\n </Rel>\n'
    f' <Rel queryid="q2">\n  {WORD}\n </Rel>\n <Rel queryid="q\u00e9">{WORD}</Rel>\n'
    f' <Rel queryid="q10">{WORD}</Rel>\n</RelevanceListings>\n'
)
TREC = "".join(
    f"{query} Q0 d{rank} {rank} {10 - rank}.5 run\n" for query in QUERIES for rank in range(1, 5)
)


def is_unread(found: object, content: bytes) -> bool:
    """Return whether the page refuses a file for its encoding, with a reason in the file."""
    if not isinstance(found, str) or UNREAD not in found:
        return False
    try:
        content.decode("utf-8")
    except UnicodeDecodeError:
        return True
    name = re.search(rb"""^\s*<\?xml[^>]*?encoding\s*=\s*["']([^"']*)""", content)
    return name is not None and name[1].lower() not in (b"utf-8", b"utf8")


class Pair:
    """The organiser's reader and the page's checker of one competition."""

    def __init__(self, folder: Path, form: str, **rules: Any) -> None:
        task = find_competition("keyword-spotting")
        assert task is not None
        gold = folder / f"gold.{form}"
        gold.write_text(GOLD[form], encoding="utf-8")
        self.case = Case(form, task, {"relevance": (gold,)}, ())
        self.references = self.case.references().data
        self.engine = BrowserChecker(self.case, folder, **rules)
        self.path = folder / f"results of {form}"

    def defects_of(self, content: bytes) -> tuple[Any, Any]:
        """Return the defects of the organiser's check and those of the page."""
        self.path.write_bytes(content)
        wanted = to_json(self.case.organiser(self.path, self.references))
        return json.loads(json.dumps(wanted)), self.engine.check(content, self.path)


@contextmanager
def small_blocks() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(byte_blocks, "BLOCK", SMALL["block"])
        patch.setattr(strict_reader, "MAX_TAG", SMALL["block"])
        patch.setattr(trec_reader, "PIECE", SMALL["piece"])
        yield
