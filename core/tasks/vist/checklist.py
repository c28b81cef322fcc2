"""The challenge program's own three checks, told from the defects of a submission."""

from __future__ import annotations

from collections.abc import Sequence

from core.defects import Defect, Severity
from core.tasks.vist.submission_reader import HAS_TWO_STORIES, IS_MISSING

VALID_JSON = "Test file is in valid JSON syntax."
ONE_STORY_EACH = "Each photo sequence has only one story."
ALL_SUBMITTED = "All required stories are submitted."


def checklist(defects: Sequence[Defect]) -> tuple[tuple[str, bool], ...]:
    """The three checks, in the program's words and order, and whether each was passed.

    A file that cannot be read, or a story without one of its attributes, fails the first, as in
    the program, and the others are then not reached.
    """
    errors = [defect.found for defect in defects if defect.severity is Severity.ERROR]
    twice = any(HAS_TWO_STORIES in found for found in errors)
    missing = any(IS_MISSING in found for found in errors)
    readable = all(HAS_TWO_STORIES in found or IS_MISSING in found for found in errors)
    return (
        (VALID_JSON, readable),
        (ONE_STORY_EACH, readable and not twice),
        (ALL_SUBMITTED, readable and not missing),
    )
