"""Reading the XML files of the ICFHR 2014 keyword spotting competition, plain or gzipped."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Literal

from core.model import Reading
from core.tasks.keyword_spotting.xml_words import Judgements, Results

if TYPE_CHECKING:
    from core.run.run import Run

Role = Literal["relevance", "results"]


def role_of(head: bytes) -> Role | None:
    """Which of the two files begins with `head` (unpacked or gzipped); None for neither."""
    raise NotImplementedError


def looks_like_xml(head: bytes) -> bool:
    """Whether `head` (unpacked or gzipped) begins like XML, of whatever kind."""
    raise NotImplementedError


def read_judgements(path: Path, run: Run) -> Reading[Judgements]:
    """The words that the relevance file judges, with every defect of the file."""
    raise NotImplementedError


def read_results(path: Path, judgements: Judgements, run: Run) -> Reading[Results]:
    """The ranked words of a result file, with every defect; unknown queries are left out."""
    raise NotImplementedError
