"""Reimplementation of EvalVIST: same input files, same output lines."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from typing import TextIO

from jurydesk.core.competition.task import Inputs
from jurydesk.core.execution.run import Run
from jurydesk.core.language import fill
from jurydesk.core.language.message import templates
from jurydesk.core.metrics.meteor.java_semantics import hashtable_order
from jurydesk.core.model.defects import Defect, Severity
from jurydesk.core.model.evaluation import ItemTable
from jurydesk.core.readers.json_cursor import JsonCursor
from jurydesk.core.readers.json_file import JsonFile, read_json_file
from jurydesk.core.tasks.vist.lenient_json import read_lenient_json
from jurydesk.core.tasks.vist.reference_reader import read_references
from jurydesk.core.tasks.vist.stories import SequenceKey, StoryReferences
from jurydesk.core.tasks.vist.story_entries import (
    OBJECT_EXPECTED,
    OUTPUT_STORIES,
    read_entries,
    repeated_entries,
)
from jurydesk.core.tasks.vist.submission_reader import (
    HAS_TWO_STORIES,
    IS_MISSING,
    read_submission,
)
from jurydesk.core.tasks.vist.vist_evaluator import evaluate
from jurydesk.core.tasks.vist.vist_options import VistOptions

VALID_JSON = "Test file is in valid JSON syntax."
ONE_STORY_EACH = "Each photo sequence has only one story."
ALL_SUBMITTED = "All required stories are submitted."


def checklist(defects: Sequence[Defect]) -> tuple[tuple[str, bool | None], ...]:
    """Return EvalVIST's three checks in its order: True if passed, None if not reached.

    As in the program, none is reached after the first that fails. A story that lacks an attribute
    is valid JSON, though the program says nothing of that check.
    """
    errors = [defect for defect in defects if defect.severity is Severity.ERROR]
    repeated = [one for one in errors if templates([one.found]) & {*HAS_TWO_STORIES}]
    missing = [one for one in errors if IS_MISSING in templates([one.found])]
    incomplete = [one for one in errors if one not in (*repeated, *missing) and _is_of_story(one)]
    is_valid = len(errors) == len(repeated) + len(missing) + len(incomplete)
    has_one_each = not repeated and not incomplete
    return (
        (VALID_JSON, is_valid),
        (ONE_STORY_EACH, has_one_each if is_valid else None),
        (ALL_SUBMITTED, not missing if is_valid and has_one_each else None),
    )


def _is_of_story(defect: Defect) -> bool:
    """Return whether a defect is of one story that is an object."""
    is_below = f"{OUTPUT_STORIES.name}[" in (defect.place.json_path or "")
    return is_below and defect.expected != OBJECT_EXPECTED


RULE = "--------------------------"
HEADING = "Avg. Max Meteor Score ="
MIN_DECIMAL = 1e-3
"""Java writes smaller numbers with an exponent."""


def printout(items: ItemTable) -> str:
    """Return the last three lines of EvalVIST's output, with the exact mean."""
    scores = items.columns["meteor"]
    return _last_lines(math.fsum(scores) / len(scores) if len(scores) else math.nan)


def _last_lines(mean: float) -> str:
    return f"{RULE}\n{HEADING}\n{java_double(mean)}"


def evalvist_mean(items: ItemTable, references: StoryReferences) -> float:
    """Return the mean as EvalVIST adds it: one double after the other, in its order."""
    column = dict(zip(items.ids, items.columns["meteor"].tolist(), strict=True))
    total, order = 0.0, summation_order(references)
    for name in order:
        total += column[name]
    return total / len(order) if order else math.nan


def summation_order(references: StoryReferences) -> list[str]:
    """Return the ids of the scored sequences in the order of EvalVIST's four hash tables.

    They are filled with story ids, the sequences of these, those of the template, and the scores.
    """
    stories = sorted(
        (story.position, story.story_id, entry.photos)
        for entry in (*references.scored, *references.others)
        for story in entry.stories
    )
    photos = {story: key for _, story, key in stories}
    named = (_sequence_name(photos[one]) for one in hashtable_order(photos))
    names = hashtable_order(dict.fromkeys(named))
    scored = {_sequence_name(entry.photos) for entry in references.scored}
    order = hashtable_order(hashtable_order(name for name in names if name in scored))
    return [name.removesuffix("-") for name in order]


def _sequence_name(photos: SequenceKey) -> str:
    """Return EvalVIST's name of a sequence, with a hyphen at its end."""
    return "".join(f"{photo}-" for photo in photos)


def java_double(value: float) -> str:
    """Format a number of [0, 1] like `Double.toString` of Java 19 and later."""
    if math.isnan(value):
        return "NaN"
    if value == 0 or value >= MIN_DECIMAL:
        return repr(float(value))
    number = Decimal(repr(float(value))).normalize()
    digits = "".join(map(str, number.as_tuple().digits))
    return f"{digits[0]}.{digits[1:] or '0'}E{number.adjusted()}"


TEMPLATE = "vist-challenge-template.json"
"""File name of the challenge's template."""

NO_TEMPLATE = fill(
    "warning  There is no {template}: all sequences with human stories are scored, where "
    "EvalVIST scores those of its template only. Give it with --template.",
    TEMPLATE,
)
INCORRECT_JSON = "Incorrect JSON syntax (JsonSyntaxException)."
LACKS_ATTRIBUTES = "One story is missing some attributes."
HAS_MORE_STORIES = "One photo sequence has more than one stories."
IS_NOT_SUBMITTED = "One story is missing in this submission."
METEOR_STARTS = ("MeteorConfiguration...", "setTask...", "scorer created...")


def evalvist_main(
    test_file: Path,
    gold_file: Path,
    out: TextIO,
    err: TextIO,
    run: Run | None = None,
    template: Path | None = None,
) -> int:
    """Write EvalVIST's output for `-testFile` and `-gsFile`, and return its exit code.

    Args:
        test_file: Submission.
        gold_file: Human stories.
        out: Stream of the program's output, which ends at the first error.
        err: Stream of all defects with their places.
        run: Progress and cancellation.
        template: Template of the scored sequences; by default one in the working folder or
            beside the files.

    Raises:
        ResourceMissing: METEOR's language data are not installed.
    """
    options = VistOptions()
    template = template or find_template(test_file, gold_file)
    if template is None:
        print(NO_TEMPLATE, file=err)
    reading = read_references(_inputs(gold_file, template), options)
    _write_defects(reading.defects, err)
    if reading.data is None:
        return 1
    references = StoryReferences(reading.data.scored, reading.data.named_by, reading.data.others)
    file = _read_as_gson(test_file)
    submission = read_submission(test_file, references, options, file)
    _write_defects(submission.defects, err)
    lines, passed = _check_lines(file, references)
    print(*lines, sep="\n", file=out)
    if not passed or submission.data is None:
        return 1
    print(*METEOR_STARTS, sep="\n", file=out)
    evaluation = evaluate(references, submission.data, options, run or Run())
    _write_defects(evaluation.defects, err)
    print(_last_lines(evalvist_mean(evaluation.items, references)), file=out)
    return 0


def find_template(*beside: Path) -> Path | None:
    """Return the path of the challenge's template in the working folder or beside a file."""
    folders = (Path(), *(path.parent for path in beside))
    return next((path for folder in folders if (path := folder / TEMPLATE).is_file()), None)


def _inputs(gold_file: Path, template: Path | None) -> Inputs:
    if template is None:
        return {"references": [gold_file]}
    return {"references": [gold_file], "template": [template]}


def _write_defects(defects: Iterable[Defect], err: TextIO) -> None:
    for defect in defects:
        print(defect, file=err)


def _read_as_gson(path: Path) -> JsonFile:
    """Return the JSON of a submission as the original's lenient reader takes it."""
    strict = read_json_file(path, damaged="replace", not_finite=True)
    lenient = read_lenient_json(path)
    if lenient is not None and strict.is_readable:
        return replace(strict, data=lenient.data)
    return lenient or strict


def _check_lines(file: JsonFile, references: StoryReferences) -> tuple[list[str], bool]:
    """Return the program's check lines up to the first failure, and whether all passed."""
    entries = read_entries(JsonCursor.of(file)) if file.is_readable else None
    if entries is None or len(entries) < len(file.data[OUTPUT_STORIES.name]):
        return [_error(INCORRECT_JSON)], False
    for entry in entries:
        if entry.album is None or entry.photos is None or entry.text is None:
            return [_error(LACKS_ATTRIBUTES, entry.photos)], False
    for _, repeated in repeated_entries(entries):
        return [_error(HAS_MORE_STORIES, repeated.photos)], False
    lines = [f"[Passed] {VALID_JSON}", f"[Passed] {ONE_STORY_EACH}"]
    submitted = {entry.photos for entry in entries}
    for sequence in references.sequences:
        if sequence.photos not in submitted:
            return [*lines, _error(IS_NOT_SUBMITTED, sequence.photos)], False
    return [*lines, f"[Passed] {ALL_SUBMITTED}"], True


def _error(sentence: str, photos: SequenceKey | None = None) -> str:
    """Return the program's line for an error; it ends a sequence's name with a hyphen."""
    if photos is None:
        return f"[Error] {sentence}"
    return f"[Error] {sentence} Photo seq: {_sequence_name(photos)}"
