"""Tests of recognizing the files of a competition by their first bytes."""

import json

import pytest

from jurydesk.core.system.paths import resources_folder
from jurydesk.core.tasks.fusionbrain.fusionbrain_task import sniff

EXAMPLE = resources_folder() / "examples" / "fusionbrain"


@pytest.mark.parametrize(
    ("name", "role"),
    [
        ("ids", "task-ids"),
        ("input", "input"),
        ("truth", "truth"),
        ("careful", "predictions"),
        ("hasty", "predictions"),
        ("torn", "predictions"),
    ],
)
def test_the_files_of_the_example_are_distinguished(name, role):
    assert sniff((EXAMPLE / f"{name}.json").read_bytes()).role == role


@pytest.mark.parametrize(
    "head",
    [
        b"",
        b"[]",
        b'{"a": 9}',
        b'{"team_name": "x", "output_stories": []}',
        b'[{"image_id": 1, "round_id": 2, "refs": []}]',
        b"<results/>",
        b"\xff\xfe\x00",
    ],
)
def test_other_files_are_not_mistaken_for_one_of_them(head):
    assert sniff(head) is None


def test_a_byte_order_mark_and_a_truncated_end_are_allowed():
    assert sniff(b'\xef\xbb\xbf {"0": 3, "1": "0", "2').role == "task-ids"
    assert sniff(b'{"0": [{"type": "text", "content": ["a", "b').role == "truth"


def test_a_bare_object_in_the_truth_is_recognized():
    assert sniff(b'{"0": {"type": "text", "content": ["a"]}}').role == "truth"


def test_an_odd_answer_does_not_make_predictions_a_truth():
    answers = {str(i): [{"type": "text", "content": "yes"}] for i in range(9)}
    answers["9"] = [{"type": "text", "content": ["a list"]}]
    assert sniff(json.dumps(answers).encode()).role == "predictions"


def test_a_cut_record_of_another_competition_is_no_file_of_task_ids():
    assert sniff(b'{"image_id": 3, "round_id": 0, "caption": "a c') is None
    assert sniff(b'{"image_id": 3, "ca') is None
