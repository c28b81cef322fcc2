from __future__ import annotations

from pathlib import Path

import pytest

from jurydesk.core.tasks.vist.evalvist_program import (
    ALL_SUBMITTED,
    ONE_STORY_EACH,
    VALID_JSON,
    checklist,
)
from jurydesk.core.tasks.vist.submission_reader import read_submission
from jurydesk.core.tasks.vist.vist_options import VistOptions
from support.files.vist import ONE, TWO, references, story, submission, write


@pytest.mark.parametrize(
    ("value", "passed"),
    [
        (submission(story(ONE), story(TWO)), (True, True, True)),
        (submission(story(ONE)), (True, True, False)),
        (submission(story(ONE), story(ONE), story(TWO)), (True, False, None)),
        (submission(story(ONE), story(ONE)), (True, False, None)),
        (submission(story(ONE), story(TWO, None)), (True, False, None)),
        ("text", (False, None, None)),
        (submission(story(ONE), 7), (False, None, None)),
    ],
)
def test_the_program_s_checks_are_listed_up_to_the_first_that_fails(
    tmp_path: Path, value: object, passed: tuple[bool | None, ...]
) -> None:
    path = write(tmp_path / "sub.json", value)
    reading = read_submission(path, references(ONE, TWO), VistOptions())
    sentences = (VALID_JSON, ONE_STORY_EACH, ALL_SUBMITTED)
    assert checklist(reading.defects) == tuple(zip(sentences, passed, strict=True))
