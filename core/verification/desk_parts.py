"""Parts of a desk beside its results: what no stamp vouches for, and the groups of items."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from jurydesk.core.desk import Desk
from jurydesk.core.desk.entry_ledger import read_ledger
from jurydesk.core.desk.inference_settings import load_inference
from jurydesk.core.desk.tables.errata_table import read_errata
from jurydesk.core.execution.groups_file import read_groups
from jurydesk.core.execution.stamped_files import locate_input
from jurydesk.core.human_evaluation.design.study_store import RatingStore
from jurydesk.core.language import translatable
from jurydesk.core.verification.verify_stamp import GROUPS

if TYPE_CHECKING:
    from jurydesk.core.execution.run import Run


def parts_without_stamp(desk: Desk) -> Iterator[str]:
    """Yield what a desk has that no stamp vouches for."""
    if RatingStore(desk).answered_packets():
        yield translatable("ratings by people")
    if read_errata(desk):
        yield translatable("errata")
    if read_ledger(desk):
        yield translatable("sealed entries")


def changed_groups(desk: Desk, folders: Sequence[Path], run: Run) -> Iterator[str]:
    """Yield a sentence if the groups of intervals and tests are not those of their file."""
    inference = load_inference(desk)
    if not inference.labels:
        return
    if inference.source is None:
        yield translatable("the groups of items are of no file.")
        return
    located = locate_input(replace(inference.source, role=GROUPS), folders, run)
    if located.difference is not None:
        yield located.difference.sentence
    elif located.path is None or read_groups(located.path) != inference.labels:
        yield translatable("the groups of items are not those of their file.")
