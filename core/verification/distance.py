"""A Fréchet distance, computed again from the files and folders of its record."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from jurydesk.core.execution.stamped_files import StampDifference, locate_folder, locate_input
from jurydesk.core.language import Message, fill
from jurydesk.core.model.evaluation import Json, Source, UsageError
from jurydesk.core.model.json_codec import from_json, to_json
from jurydesk.core.model.stamp import StampError
from jurydesk.core.verification.differences import find_difference, without_folders
from jurydesk.core.verification.verify_stamp import Verdict, code_notes, version_notes

if TYPE_CHECKING:
    from jurydesk.core.execution.run import Run

NOTED = ("versions", "device", "code", "defects")
"""Members of a record whose differences are notes; all others must be equal."""


def is_distance(data: Json) -> bool:
    """Return whether a document is the record of a distance."""
    return isinstance(data, dict) and "fid" in data and "places" in data


def verify_distance(data: Json, folders: Sequence[Path], run: Run) -> Verdict:
    """Compute a recorded distance again and compare the record.

    Files and folders are searched for at their own paths, then by name in `folders`. Raises
    StampError for a record that is damaged or has no fingerprints, ResourceMissing without the
    weights that pictures need, and Cancelled.
    """
    from jurydesk.core.neural.inception.fid_record import FidRecord, make_record
    from jurydesk.core.neural.inception.fid_score import FidCalculator

    try:
        record = from_json(FidRecord, data)
    except (KeyError, TypeError, ValueError) as error:
        raise StampError(
            fill("The record of the distance is damaged: {error}.", Message(str(error)))
        ) from error
    located = [
        locate_input(Source("", side.path, 0, side.sha256 or ""), folders, run)
        if side.is_file
        else locate_folder(Source("", side.path, 0, ""), folders)
        for side in record.places
    ]
    differences = [one.difference for one in located if one.difference is not None]
    places = [one.path for one in located if one.path is not None]
    if len(places) < len(located):
        return Verdict(tuple(differences), compared=False)
    try:
        calculator = FidCalculator(
            {},
            record.preset,
            record.trace,
            network=record.network,
            also=tuple(measure.name for measure in record.measures),
            resamples=record.resamples,
        )
        one, other = places
        found = calculator.between(one, other, run)
    except UsageError as error:
        sentence = fill("The distance can no longer be computed: {error}", error)
        return Verdict((*differences, StampDifference("input", "fid", sentence)))
    made = make_record(calculator, found, (one, other), run)
    again = made.to_json()
    for side, recorded in zip(again["places"], record.places, strict=True):
        side["path"] = recorded.path
    then = {name: member for name, member in data.items() if name not in NOTED}
    again = {name: member for name, member in again.items() if name not in NOTED}
    difference, _ = find_difference("json", then, json.dumps(again))
    if difference is not None:
        differences.append(StampDifference("score", difference.place, difference.sentence))
    notes = [*version_notes(record.versions, made.versions, record.device, made.device)]
    notes += code_notes(record.code, made.code)
    if without_folders(data.get("defects", [])) != without_folders(to_json(found.defects)):
        notes.append(
            StampDifference("stamp", "defects", "The defects in the record were not checked.")
        )
    same_code = record.code == made.code if record.code and made.code else None
    return Verdict(tuple(differences), tuple(notes), same_code=same_code)
