"""Tests of files that are given as answers and are something else."""

import hashlib

import pytest

from jurydesk.core.human_evaluation.answers.answers_file import (
    answers_bytes,
    make_answers,
    read_answers,
)
from jurydesk.core.human_evaluation.answers.rater_state import RatingEvent


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (
            "annotation_id,annotator,rating,story\n1,1,4,a story .\n",
            "a table with commas: annotation_id, annotator, rating, story",
        ),
        (
            '"HITId","WorkerId","Input.story"\n"A","W1","x"\n',
            "a table with commas: HITId, WorkerId, Input.story",
        ),
        (
            "user\tinstance_id\tquality:::scale_1\nr1\ti1\t4\n",
            "a table with tabs: user, instance_id, quality:::scale_1",
        ),
    ],
)
def test_a_table_of_another_program_is_named_with_its_columns(content, said, tmp_path):
    path = tmp_path / "ratings"
    path.write_text(content)
    (defect,) = read_answers(path).defects
    assert defect.found == f"The file is {said}. It is another program's."
    assert defect.hint == "Only answers that a packet saved are merged."


@pytest.mark.parametrize("member", ["rater", "packet", "n", "value"])
def test_answers_with_a_member_twice_are_refused(tmp_path, member):
    event = RatingEvent(1, "answer", "t1", "q1", 3, 1.5, "2026-01-01T00:00:00Z")
    content = answers_bytes(make_answers("ab" * 32, "r01", [event], "cd" * 32))
    path = tmp_path / "a.juryanswers"
    path.write_bytes(content)
    assert read_answers(path).data.rater == "r01"
    twice = content.replace(f'"{member}":'.encode(), f'"{member}":1,"{member}":'.encode(), 1)
    if member in ("n", "value"):  # the line is sealed again
        lines = twice.partition(b"\n")[2]
        before, now = (
            hashlib.sha256(one).hexdigest() for one in (content.partition(b"\n")[2], lines)
        )
        twice = twice.replace(before.encode(), now.encode())
    path.write_bytes(twice)
    assert twice != content
    assert read_answers(path).data is None
