"""Tests of the readers of VisDial's dialogues and annotations, and of their defects."""

import json

import numpy as np
import pytest

from jurydesk.core.readers.bounded_defects import condense_defects
from jurydesk.core.tasks.visdial.reference_sets.conversations import read_conversations
from jurydesk.core.tasks.visdial.reference_sets.relevance import read_dense_annotations

QUESTIONS = ["is it red", "how many"]
ANSWERS = [f"answer {i}" for i in range(8)]


def one_round(**changes):
    sound = {"question": 0, "answer": 2, "answer_options": [5, 4, 3, 2, 1, 0], "gt_index": 3}
    return {name: value for name, value in (sound | changes).items() if value != "gone"}


def dialog(image=7, rounds=None, **changes):
    rounds = [one_round(), one_round(question=1)] if rounds is None else rounds
    return {"image_id": image, "caption": "a kite", "dialog": rounds} | changes


def file(tmp_path, dialogs, **data):
    path = tmp_path / "dialogs.json"
    content = {"questions": QUESTIONS, "answers": ANSWERS, "dialogs": dialogs} | data
    path.write_text(json.dumps({"data": content, "version": "1.0"}))
    return path


def defect_texts(reading):
    return [(d.place.json_path, d.found) for d in reading.defects]


def test_valid_dialogues_become_rounds(tmp_path):
    known = read_conversations(file(tmp_path, [dialog(), dialog(9)])).data
    assert [known.key(row) for row in range(4)] == [(7, 0), (7, 1), (9, 0), (9, 1)]
    assert known.question.tolist() == [0, 1, 0, 1]
    assert (known.candidates.shape, known.truth.tolist()) == ((4, 6), [3, 3, 3, 3])
    assert known.captions == ("a kite", "a kite")


def test_training_needs_no_candidates(tmp_path):
    rounds = [one_round(answer_options="gone", gt_index="gone")]
    known = read_conversations(file(tmp_path, [dialog(rounds=rounds)]), candidates=False).data
    assert (known.candidates.shape, known.answer.tolist()) == ((1, 0), [2])


FIRST = "data.dialogs[0].dialog[0]"


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"question": 2}, '"question" is 2.'),
        ({"answer": "gone"}, '"answer" is missing.'),
        ({"answer": True}, '"answer" is true.'),
        ({"answer": "1"}, '"answer" is the text "1".'),
        ({"answer_options": "gone"}, '"answer_options" is not a list of answer indices.'),
        ({"answer_options": [1, "2"]}, '"answer_options" is not a list of answer indices.'),
        ({"answer_options": [1, 2]}, "There are 2 candidates."),
        ({"answer_options": [1, 2, 3, 4, 5, 8]}, "Answer 8 does not exist."),
        ({"gt_index": 6}, '"gt_index" is 6.'),
        ({"gt_index": "gone"}, '"gt_index" is missing.'),
    ],
)
def test_an_invalid_round_is_reported_with_its_place(tmp_path, changes, sentence):
    reading = read_conversations(file(tmp_path, [dialog(rounds=[one_round(**changes)])]))
    assert (reading.data, defect_texts(reading)) == (None, [(FIRST, sentence)])


@pytest.mark.parametrize(
    ("dialogs", "path", "sentence"),
    [
        ([3], "data.dialogs[0]", "The entry is not a dialogue."),
        ([dialog("7")], "data.dialogs[0]", '"image_id" is the text "7".'),
        ([dialog(rounds=[one_round()] * 11)], "data.dialogs[0]", "The entry is not a dialogue."),
        ([dialog(2**63)], "data.dialogs[0]", f'"image_id" is {2**63}.'),
        ([dialog(), dialog()], "data.dialogs[1]", "Image 7 is repeated; it first appears at [0]."),
        ([], "data.dialogs", "The file has no rounds."),
        ([dialog(rounds=[3])], FIRST, '"question" is missing.'),
    ],
)
def test_an_invalid_dialogue_is_reported_with_its_place(tmp_path, dialogs, path, sentence):
    assert defect_texts(read_conversations(file(tmp_path, dialogs))) == [(path, sentence)]


def test_an_invalid_image_id_is_reported_once_and_truncated_and_the_others_are_read(
    tmp_path,
):
    huge = 10**60
    wrong = [dialog(huge), dialog(-huge), dialog(rounds=[one_round()] * 11)]
    reading = read_conversations(file(tmp_path, [*wrong, dialog(7)]))
    assert defect_texts(reading) == [
        ("data.dialogs[0]", f'"image_id" is {str(huge)[:40]}….'),
        ("data.dialogs[1]", f'"image_id" is {str(-huge)[:40]}….'),
        ("data.dialogs[2]", "The entry is not a dialogue."),
    ]
    assert reading.defects[0].expected == "A whole number of at most 19 digits is expected."


@pytest.mark.parametrize("image", [2**63 - 1, -(2**63 - 1)])
def test_the_largest_image_ids_are_read(tmp_path, image):
    assert defect_texts(read_conversations(file(tmp_path, [dialog(image)]))) == []


def test_all_rounds_need_the_same_number_of_candidates(tmp_path):
    more = one_round(answer_options=[0, 1, 2, 3, 4, 5, 6])
    reading = read_conversations(file(tmp_path, [dialog(rounds=[one_round(), more])]))
    assert defect_texts(reading) == [("data.dialogs[0].dialog[1]", "There are 7 candidates.")]


def test_many_invalid_rounds_are_counted(tmp_path):
    rounds = [dialog(image, [one_round(question=9)] * 10) for image in range(30)]
    reading = read_conversations(file(tmp_path, rounds))
    assert len(reading.defects) == 300
    assert len(condense_defects(reading.defects)) == 11


@pytest.mark.parametrize("content", [[], {"data": 3}, {"data": {"questions": []}}])
def test_another_file_is_not_a_visdial_file(tmp_path, content):
    path = tmp_path / "a.json"
    path.write_text(json.dumps(content))
    assert defect_texts(read_conversations(path)) == [(None, "The file is not a VisDial file.")]


@pytest.fixture
def known(tmp_path):
    return read_conversations(file(tmp_path, [dialog()])).data


def annotations(tmp_path, *entries):
    path = tmp_path / "relevance.json"
    path.write_text(json.dumps(list(entries)))
    return path


SHARES = [0, 0, 0.5, 1, 0, 0]


def test_many_invalid_annotations_are_counted(known, tmp_path):
    reading = read_dense_annotations(annotations(tmp_path, *[{"image_id": "7"}] * 300), known)
    assert reading.data is None
    assert [one.found for one in reading.defects].count('"image_id" is the text "7".') == 300


@pytest.mark.parametrize("member", ["gt_relevance", "relevance"])
def test_rounds_of_annotations_are_counted_from_1(tmp_path, known, member):
    path = annotations(tmp_path, {"image_id": 7, "round_id": 2, member: SHARES})
    found = read_dense_annotations(path, known).data
    assert (found.rows, found.shares.tolist()) == ((1,), [SHARES])
    assert np.isnan(found.of(2)[0]).all()


def test_rounds_are_counted_from_0_where_one_of_them_is_0(tmp_path, known):
    entries = ({"image_id": 7, "round_id": number, "relevance": SHARES} for number in (1, 0))
    assert read_dense_annotations(annotations(tmp_path, *entries), known).data.rows == (0, 1)


def test_annotations_of_other_dialogues_are_left_out(tmp_path, known):
    entries = ({"image_id": image, "round_id": 1, "relevance": SHARES} for image in (7, 8))
    reading = read_dense_annotations(annotations(tmp_path, *entries), known)
    assert reading.data.rows == (0,)
    assert [d.found for d in reading.defects] == ["Not among the dialogues: 1 question (8-0)."]


@pytest.mark.parametrize(
    ("entry", "sentence"),
    [
        ({"image_id": "7"}, '"image_id" is the text "7".'),
        ({"image_id": 7, "round_id": 11}, "The round is 11; 1 to 10 is expected."),
        ({"image_id": 7, "round_id": 2}, "The relevance is not a list of numbers."),
        (
            {"image_id": 7, "round_id": 2, "relevance": [10**400, *SHARES[1:]]},
            "The relevance is not a list of numbers.",
        ),
        ({"image_id": 7, "round_id": 2, "relevance": [1]}, "1 number for 6 candidates."),
        ({"image_id": 7, "round_id": 1, "relevance": SHARES}, "Question 7-0 is annotated twice."),
    ],
)
def test_an_invalid_annotation_is_reported(tmp_path, known, entry, sentence):
    sound = {"image_id": 7, "round_id": 1, "relevance": SHARES}
    reading = read_dense_annotations(annotations(tmp_path, sound, entry), known)
    assert (reading.data, defect_texts(reading)) == (None, [("[1]", sentence)])


def test_an_index_that_is_not_the_answer_s_is_reported_and_used(tmp_path):
    rounds = [one_round(), one_round(gt_index=0), one_round(gt_index=1)]
    same = [
        *ANSWERS[:4],
        ANSWERS[2],
        *ANSWERS[5:],
    ]  # the answer is at index 1, and in the list twice
    reading = read_conversations(file(tmp_path, [dialog(rounds=rounds)], answers=same))
    assert defect_texts(reading) == [
        ("data.dialogs", '"gt_index" does not point to the answer: 1 round (7-1).')
    ]
    assert reading.data.truth.tolist() == [3, 0, 1]
