"""Reading the file that says which sub-task every key belongs to."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from core.defects import Defect, error, has_errors
from core.model import Json
from core.task import Reading
from core.tasks.fusionbrain.records import described, place_of
from core.tasks.fusionbrain.subtasks import BY_NUMBER, SUBTASKS
from core.tasks.json_file import JsonFile, read_json

EXPECTED_FILE = 'An object {"key": number of the sub-task} is expected.'
NUMBERS = ", ".join(f"{one.number} {one.name}" for one in SUBTASKS)


def read_task_ids(path: Path, only: str = "") -> Reading[Mapping[str, str]]:
    """The sub-task of every key, in the order of the file; with `only`, of that one's keys."""
    file = read_json(path)
    if not file.sound:
        return Reading(None, file.defects)
    told = (*file.defects, *_faults(file))
    if has_errors(told):
        return Reading(None, told)
    found = {key: BY_NUMBER[str(number)] for key, number in file.data.items()}
    chosen = {key: name for key, name in found.items() if only in ("", name)}
    if not chosen:
        told = (*told, error(file.place(), f"No key belongs to the sub-task {only}."))
        return Reading(None, told)
    return Reading(chosen, told)


def _faults(file: JsonFile) -> Iterator[Defect]:
    if not isinstance(file.data, dict):
        yield error(file.place(), "The file holds no object.", EXPECTED_FILE)
    elif not file.data:
        yield error(file.place(), "The file has no key.", EXPECTED_FILE)
    else:
        for key, number in file.data.items():
            if _is_unknown(number):
                found = f"The sub-task is {described(number)}."
                yield error(place_of(str(file.path), key), found, f"One of {NUMBERS} is expected.")


def _is_unknown(number: Json) -> bool:
    # A true would pass for "True" only, and a 1.0 for "1.0": neither is a number of a sub-task.
    return not isinstance(number, int | str) or str(number) not in BY_NUMBER
