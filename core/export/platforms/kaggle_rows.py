"""References and submissions of a competition as the rows of Kaggle's tables: one row an item."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from jurydesk.core.export.platforms.package_source import (
    PackageSource,
    option_files,
    reference_names,
)
from jurydesk.core.language import Message, fill, translatable
from jurydesk.core.model.decoding import DAMAGE
from jurydesk.core.model.evaluation import Json, UsageError

ANSWER_COLUMN, REFERENCE_COLUMN, USAGE_COLUMN = "answer", "references", "Usage"
BY_KEY = ""
"""Name of a list that stands for a document whose members are the items, named by their ids."""


@dataclass(frozen=True, slots=True)
class RowFormat:
    """How JSON files are made of items.

    `lists` are the lists of records of each role, each with the member that names a record's item.
    A submission is a list of records with the members `item` and `answer`; without `item` it is an
    object by id, whose values are lists of one text.
    """

    lists: Mapping[str, Mapping[str, str]]
    item: str
    answer: str


ROWS = {
    "vqa": RowFormat(
        {
            "references": {"annotations": "question_id"},
            "questions": {"questions": "question_id"},
        },
        "question_id",
        "answer",
    ),
    "captions": RowFormat(
        {"references": {"images": "id", "annotations": "image_id"}}, "image_id", "caption"
    ),
    "fusionbrain": RowFormat(
        {role: {BY_KEY: ""} for role in ("truth", "task-ids", "input")}, "", "content"
    ),
}
REASONS = {
    "densecap": translatable("An image has any number of boxes."),
    "vist": translatable("A story belongs to a sequence of five photos."),
    "keyword-spotting": translatable("A query has a ranked list of any length."),
    "region-captions": translatable("Results are joined from the files of several processes."),
    "retrieval": translatable("A submission is a matrix of all images and captions."),
    "visdial": translatable("An answer belongs to a round of a dialogue."),
    "visdial-ranks": translatable("A round has the ranks of a hundred answers."),
}
"""Why the entries of a competition are not one row an item."""
NO_ROWS = translatable("Kaggle's tables have one row an item, which does not fit here: {reason}")

Rows = dict[str, dict[str, dict[str, list[Json]]]]
"""Records of each item, by file and list."""


@dataclass(frozen=True, slots=True)
class KaggleTables:
    """Rows of the solution, and what is needed to make reference files of some of them.

    `frames` are the reference files without their records.
    """

    format: RowFormat
    rows: Rows
    frames: Mapping[str, Json]


def split_references(source: PackageSource) -> KaggleTables:
    """Return the references as rows. Raises UsageError where they do not fit."""
    found = ROWS.get(source.task.id)
    if found is None:
        reason = REASONS.get(source.task.id, translatable("The entries have another form."))
        raise UsageError(Message(NO_ROWS).format(reason=reason))
    for option in option_files(source):
        reason = fill("The option {name} has a file.", option)
        raise UsageError(Message(NO_ROWS).format(reason=reason))
    rows: Rows = {}
    frames: dict[str, Json] = {}
    for path, (role, name) in reference_names(source).items():
        if role not in found.lists:
            reason = fill("{name} holds no records of items.", path.name)
            raise UsageError(Message(NO_ROWS).format(reason=reason))
        name = _plain(name)
        document = read_document(path)
        frames[name] = document if found.lists[role] != {BY_KEY: ""} else {}
        for title, member in found.lists[role].items():
            for key, record in _records(document, title, member, path):
                rows.setdefault(key, {}).setdefault(name, {}).setdefault(title, []).append(record)
        if isinstance(document, dict) and BY_KEY not in found.lists[role]:
            frames[name] = {**document, **{title: [] for title in found.lists[role]}}
    return KaggleTables(found, rows, frames)


def _plain(name: str) -> str:
    return name.removesuffix(".gz")


def read_document(path: Path) -> Json:
    """Read a JSON file, compressed or not. Raises UsageError for another."""
    try:
        with gzip.open(path) if path.suffix == ".gz" else path.open("rb") as file:
            return json.load(file)
    except (*DAMAGE, OSError, RecursionError) as fault:
        raise UsageError(fill("{name} is not a JSON file.", path.name)) from fault


def _records(document: Json, title: str, member: str, path: Path) -> Iterator[tuple[str, Json]]:
    """Yield id and content of each record of a list. Raises UsageError if there is no such list."""
    if title == BY_KEY and isinstance(document, dict):
        yield from document.items()
        return
    records: Any = document.get(title) if isinstance(document, dict) else None
    if not isinstance(records, list) or not all(
        isinstance(one, dict) and isinstance(one.get(member), int | str) for one in records
    ):
        reason = fill("{name} has no list {title} with {member}.", path.name, title, member)
        raise UsageError(Message(NO_ROWS).format(reason=reason))
    for one in records:
        yield str(one[member]), one


def split_submission(path: Path, found: RowFormat) -> dict[str, str]:
    """Return the answer of each item in a submission. Raises UsageError where it does not fit."""
    document: Any = read_document(path)
    reason = fill("{name} has answers that are not one text.", path.name)
    answers: dict[str, str] = {}
    records: Any = document.items() if isinstance(document, dict) else ()
    if found.item:
        records = [(one.get(found.item), [one]) for one in document if isinstance(one, dict)]
    for key, parts in records:
        values = [one.get(found.answer) for one in parts if isinstance(one, dict)]
        if len(values) != 1 or not isinstance(values[0], str):
            raise UsageError(Message(NO_ROWS).format(reason=reason))
        answers[str(key)] = values[0]
    return answers
