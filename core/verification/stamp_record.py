"""Record of a stamp in a file: its members are those of a stamp, and what it says is verified."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from jurydesk.core.execution.stamped_files import StampDifference
from jurydesk.core.language import fill
from jurydesk.core.model.evaluation import Json
from jurydesk.core.model.stamp import Stamp
from jurydesk.core.verification.scored_before import ScoredBefore
from jurydesk.core.verification.verify_stamp import Verdict, verify_stamp
from jurydesk.core.version import __version__

if TYPE_CHECKING:
    from jurydesk.core.competition.task import AnyTask
    from jurydesk.core.execution.run import Run


def verify_record(
    record: Json,
    stamp: Stamp,
    task: AnyTask,
    folders: Sequence[Path],
    run: Run,
    before: ScoredBefore,
) -> Verdict:
    """Verify a stamp and its record, in which nothing may stand that no stamp has."""
    verdict = verify_stamp(stamp, task, folders, run, before)
    odd = tuple(record_differences(record, stamp)) if verdict.compared else ()
    return replace(verdict, differences=(*verdict.differences, *odd))


def record_differences(record: Json, stamp: Stamp) -> Iterator[StampDifference]:
    """Yield the members of a stamp's record that no stamp of this version has, or that it lacks.

    A stamp of another version may lack members, and have others.
    """
    written = stamp.to_json()
    is_older = stamp.versions.get("jurydesk") != __version__
    for name in dict.fromkeys([*record, *written]):
        if name not in written or (name not in record and not is_older):
            sentence = fill("A stamp of this version has another member {name}.", repr(name))
        elif name in record and not is_older and record[name] != written[name]:
            sentence = fill("The stamp's member {name} has parts of no stamp.", repr(name))
        else:
            continue
        yield StampDifference("stamp", name, sentence)
