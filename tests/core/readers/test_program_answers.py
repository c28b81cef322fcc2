"""Texts for ids that other programs wrote."""

import json

import pytest

from jurydesk.core.readers.json_file import read_json_file
from jurydesk.core.readers.program_answers import read_program_answers

IDS = (7, 8)


def read(folder, content, id_name="question_id", text_name="answer", **options):
    path = folder / "mine.json"
    path.write_text(content if isinstance(content, str) else json.dumps(content))
    return read_program_answers(read_json_file(path), id_name, text_name, **options)


def told(file):
    return [f"{one.severity} {one.found}" for one in file.defects]


def of(make):
    return [make(one) for one in IDS]


LLAVA = of(lambda one: {"question_id": one, "text": "a", "answer_id": "x", "model_id": "m"})
CHAT = {"body": {"choices": [{"message": {"content": "a"}}]}}
RESPONSES = {"body": {"output": [{"content": [{"type": "output_text", "text": "a"}]}]}}
MESSAGE = {"type": "succeeded", "message": {"content": [{"type": "text", "text": "a"}]}}
SAMPLES = of(lambda one: {"doc": {"question_id": one}, "filtered_resps": ["a"], "target": "b"})


@pytest.mark.parametrize(
    ("content", "program"),
    [
        (LLAVA, "LLaVA"),
        (of(lambda one: {"custom_id": str(one), "response": CHAT}), "OpenAI's Batch API"),
        (of(lambda one: {"custom_id": str(one), "response": RESPONSES}), "OpenAI's Batch API"),
        (
            of(lambda one: {"custom_id": str(one), "result": MESSAGE}),
            "Anthropic's Message Batches",
        ),
        (SAMPLES, "lm-evaluation-harness"),
        ([one | {"filtered_resps": "a"} for one in SAMPLES], "lm-evaluation-harness"),
        ({"model_configs": {}, "logs": SAMPLES}, "lm-evaluation-harness"),
    ],
)
def test_an_output_of_a_known_program_is_read_with_a_note(content, program, tmp_path):
    file = read(tmp_path, content)
    assert file.data == [{"question_id": one, "answer": "a"} for one in IDS]
    (note,) = told(file)
    assert note.startswith(f"note The file is an output of {program}: ")


def test_an_answer_that_failed_stays_without_a_text(tmp_path):
    failed = [{"custom_id": "7", "response": CHAT}, {"custom_id": "8", "response": None}]
    assert read(tmp_path, failed).data == [
        {"question_id": 7, "answer": "a"},
        {"question_id": 8, "answer": None},
    ]


@pytest.mark.parametrize("cell", ["7", "7.0", '"=""7"""', "'7"])
def test_ids_of_a_table_are_numbers_as_a_spreadsheet_writes_them(cell, tmp_path):
    file = read(tmp_path, f"question_id,answer\n{cell},red\n8,blue\n")
    assert [one["question_id"] for one in file.data] == [7, 8]
    assert read(tmp_path, f"questionId;answer\n{cell};a\n", "questionId", text_ids=True).data == [
        {"questionId": "7", "answer": "a"}
    ]


@pytest.mark.parametrize(
    "content",
    [of(lambda one: {"img_id": one, "pred": "a"}), "file_name,prediction\n7,a\n8,a\n"],
)
def test_other_names_without_a_choice_are_read_for_captions(content, tmp_path):
    file = read(tmp_path, content, "image_id", "caption")
    assert file.data == [{"image_id": one, "caption": "a"} for one in IDS]
    assert any('as "image_id" and "caption"' in one for one in told(file))


@pytest.mark.parametrize(
    "content",
    [
        of(lambda one: {"img_id": one, "image": "a.jpg", "pred": "a"}),
        of(lambda one: {"img_id": one, "pred": "a", "output": "b"}),
        of(lambda one: {"id": one, "text": "a"}),
    ],
)
def test_names_that_leave_a_choice_are_not_read(content, tmp_path):
    file = read(tmp_path, content, "image_id", "caption")
    assert (file.data, told(file)) == (content, [])


def test_a_second_text_of_a_model_is_a_warning(tmp_path):
    entries = of(lambda one: {"question_id": one, "answer": "red", "prediction": "blue"})
    file = read(tmp_path, entries)
    assert file.data == entries
    assert told(file) == ['warning "answer" is read; the entries also have "prediction".']
