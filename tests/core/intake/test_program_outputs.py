"""Outputs of other programs are named, with what to do."""

import json

import pytest

from jurydesk.core.intake.file_signatures import foreign_file_type, unread_advice
from jurydesk.core.intake.program_outputs import OF_FLORENCE, OUTPUTS

TEXT = {"type": "message", "content": [{"type": "text", "text": "red"}]}
CHAT = {"choices": [{"message": {"role": "assistant", "content": "red"}}], "model": "m"}
ANSWER = {"question_id": 1, "prompt": "?", "text": "red", "answer_id": "a", "model_id": "m"}
SIDES = {"xmin": 1, "ymin": 2, "xmax": 3, "ymax": 4}
BOXES = [[1.0, 2.0, 3.0, 4.0]]
REGIONS = {"bboxes": BOXES, "labels": ["a red car"]}


@pytest.mark.parametrize(
    ("content", "kind"),
    [
        ([{"custom_id": "1", "response": {"body": CHAT}}], "an output of OpenAI's Batch API"),
        ([{"custom_id": "1", "method": "POST", "url": "/v1"}], "a list of requests to a batch API"),
        ([{"custom_id": "1", "result": {"message": TEXT}}], "an output of Anthropic's batches"),
        (CHAT, "a response of a chat API"),
        (
            [{"doc_id": 0, "doc": {}, "target": "", "resps": [["a"]], "filtered_resps": ["a"]}],
            "an output of lm-evaluation-harness",
        ),
        (
            {"results": {"gqa": {"exact_match,none": 0.6}}, "configs": {}, "versions": {}},
            "a summary of lm-evaluation-harness",
        ),
        ([ANSWER], "an output of LLaVA"),
        ([{"question_id": 1, "image": "a.jpg", "text": "?"}], "a list of LLaVA's questions"),
        ([{"query": "a", "hits": [{"docid": "d", "score": 1.0}]}], "an output of Pyserini"),
        ({"hits": {"hits": [{"_id": "d", "_score": 1.0}]}}, "an answer of Elasticsearch"),
        (
            [{"boxes": BOXES, "labels": [1], "scores": [0.9]}],
            "a list of torchvision's detections",
        ),
        ({"<OD>": REGIONS}, "a list of Florence-2's regions"),
        ({"1.jpg": {"<DENSE_REGION_CAPTION>": REGIONS}}, "a list of Florence-2's regions"),
        ({"1.jpg": {"<OCR>": "STOP"}}, "an output of Florence-2"),
        (
            [{"image_id": 1, "category_id": 2, "bbox": BOXES[0], "score": 0.9}],
            "a list of COCO detections",
        ),
        ([[{"score": 0.9, "label": "a", "box": SIDES}]], "a list of detections of Transformers"),
    ],
)
def test_an_output_of_another_program_is_named_by_its_members(content, kind):
    head = json.dumps(content).encode()
    assert foreign_file_type(head) == kind
    assert unread_advice(kind)


@pytest.mark.parametrize("line", ["|---|---|", "| :-- | --: |"])
def test_a_markdown_table_is_named(line):
    text = f"| image_id | caption |\n{line}\n| 1 | a cat |\n".encode()
    assert foreign_file_type(text) == "a Markdown table"
    assert foreign_file_type(b"| image_id | caption |\n| 1 | a cat |\n") == ""


@pytest.mark.parametrize(
    "content",
    [
        [{"image_id": 1, "category_id": 2, "bbox": BOXES[0], "score": 0.9, "caption": "a"}],
        [{"question_id": 1, "answer": "red"}],
        [{"image_id": 1, "caption": "custom_id response"}],
    ],
)
def test_files_of_competitions_are_no_such_outputs(content):
    assert foreign_file_type(json.dumps(content).encode()) == ""


def test_every_kind_has_a_name_of_its_own():
    kinds = [one.kind for one in (*OUTPUTS, *OF_FLORENCE)]
    assert len(set(kinds)) == len(kinds)
