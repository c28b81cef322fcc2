"""Forged exports: each number altered in turn, and the results that the stamps give again."""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from jurydesk.core.execution.run import Run
from jurydesk.core.model.evaluation import Evaluation
from jurydesk.core.model.stamp import Stamp
from jurydesk.core.verification.verify_stamp import verify_stamp
from support import toy

NUMBER = re.compile(r"\d+(?:\.\d+)?(?:e-?\d+)?")


@cache
def scored_again(text: str, folder: Path) -> Evaluation:
    """Return the result of a stamp, given as JSON, scored again with its name and stamp.

    Its input files are in the folder.
    """
    record = json.loads(text)
    stamp = Stamp.from_json(record)
    verdict = verify_stamp(stamp, toy.TASK, (folder,), Run())
    assert verdict.match
    assert verdict.evaluation is not None
    return replace(verdict.evaluation, system=stamp.system, stamp=record)


def leaves(value: Any, *place: Any) -> Iterator[tuple[Any, ...]]:
    """Return the places of all numbers and texts with numbers in a document, without stamps."""
    if isinstance(value, dict | list):
        for key, one in value.items() if isinstance(value, dict) else enumerate(value):
            if key not in ("stamp", "settings", "schema"):
                yield from leaves(one, *place, key)
    elif isinstance(value, int | float) or (isinstance(value, str) and NUMBER.search(value)):
        yield place


def alter_number(document: Any, place: tuple[Any, ...]) -> Any:
    """Return the document with another number at a place."""
    document = copy.deepcopy(document)
    at = document
    for key in place[:-1]:
        at = at[key]
    at[place[-1]] = other(at[place[-1]])
    return document


def other(value: Any) -> Any:
    if isinstance(value, bool):
        return not value
    if isinstance(value, str):
        return NUMBER.sub(lambda found: f"9{found[0]}", value, count=1)
    return value * (1 + 1e-9) if isinstance(value, float) and value else value + 1
