"""Outputs of other programs, known by the names of their members: what they are, and what to do.

Those that hold a text for an id are read where the ids fit (`core/readers/program_answers.py`).
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from jurydesk.core.language import translatable

FIRST = 16_384
"""Bytes at the beginning of a file that are looked at: the first records."""
_MEMBER = re.compile(rb'"((?:[^"\\]|\\.){1,60})"\s*:')
TOKEN = re.compile(r"<[A-Z_]{2,40}>")
"""Name of a task of Florence-2."""

ANSWERS = translatable("Write its id and text under the names that the competition has.")
NUMBERS = translatable("Give the texts that were scored, not their scores.")
BOXES = translatable("Its classes are no texts: a region needs a caption and a score.")
REGIONS = translatable("Its boxes have no scores, which regions need beside a caption.")
QUESTIONS = translatable("Give the answers to them, which another file holds.")
DOCUMENTS = translatable("Write each hit as a line: query, Q0, document, rank, score, run name.")


@dataclass(frozen=True, slots=True)
class ProgramOutput:
    """Kind of file that has all `members` and none of `others`, and what to do with it."""

    kind: str
    advice: str
    members: frozenset[str]
    others: frozenset[str] = frozenset()


def _output(kind: str, advice: str, members: str, others: str = "") -> ProgramOutput:
    return ProgramOutput(kind, advice, frozenset(members.split()), frozenset(others.split()))


OUTPUTS = (
    _output(translatable("a list of requests to a batch API"), QUESTIONS, "custom_id method url"),
    _output(translatable("an output of OpenAI's Batch API"), ANSWERS, "custom_id response"),
    _output(translatable("an output of Anthropic's batches"), ANSWERS, "custom_id result"),
    _output(translatable("a response of a chat API"), ANSWERS, "choices message model"),
    _output(
        translatable("an output of lm-evaluation-harness"), ANSWERS, "doc filtered_resps target"
    ),
    _output(
        translatable("a summary of lm-evaluation-harness"), NUMBERS, "results configs versions"
    ),
    _output(translatable("an output of LLaVA"), ANSWERS, "question_id text answer_id model_id"),
    _output(translatable("a list of LLaVA's questions"), QUESTIONS, "question_id image text"),
    _output(
        translatable("a list of conversations for training"), ANSWERS, "conversations from value"
    ),
    _output(translatable("an output of HELM"), ANSWERS, "instance_id predicted_text"),
    _output(translatable("an output in Alpaca's form"), ANSWERS, "instruction output"),
    _output(translatable("an output of Inspect"), ANSWERS, "eval samples status"),
    _output(translatable("an output of VLMEvalKit"), ANSWERS, "index question prediction"),
    _output(translatable("an answer of Elasticsearch"), DOCUMENTS, "hits _id _score"),
    _output(translatable("an output of Pyserini"), DOCUMENTS, "hits docid"),
    _output(translatable("an output of RankLLM"), DOCUMENTS, "query candidates docid"),
    _output(translatable("a list of torchvision's detections"), BOXES, "boxes labels scores"),
    _output(translatable("a list of MMDetection's detections"), BOXES, "bboxes labels scores"),
    _output(translatable("an output of Grounding DINO"), REGIONS, "boxes logits phrases"),
    _output(
        translatable("a list of COCO detections"),
        BOXES,
        "image_id category_id bbox score",
        "caption",
    ),
    _output(translatable("an output of Ultralytics"), BOXES, "name class confidence box x1"),
    _output(
        translatable("a list of detections of Transformers"), BOXES, "score label box xmin ymin"
    ),
    _output(
        translatable("a list of masks of Segment Anything"), BOXES, "segmentation predicted_iou"
    ),
    _output(translatable("an annotation of Labelme"), BOXES, "shapes imagePath shape_type"),
    _output(
        translatable("an output of a pipeline of Transformers"),
        ANSWERS,
        "generated_text",
        "image_id question_id questionId caption answer",
    ),
)
FLORENCE_REGIONS = ProgramOutput(
    translatable("a list of Florence-2's regions"), REGIONS, frozenset(("bboxes", "labels"))
)
FLORENCE = ProgramOutput(translatable("an output of Florence-2"), ANSWERS, frozenset())
OF_FLORENCE = (FLORENCE_REGIONS, FLORENCE)


_MARKDOWN = re.compile(rb"\|[^\n]*\|[ \t]*\r?\n[ \t]*\|(?:[ \t]*:?-+:?[ \t]*\|)+[ \t]*\r?(?:\n|$)")
MARKDOWN = ProgramOutput(
    translatable("a Markdown table"),
    translatable("Export its rows as CSV or JSON: bars and dashes are no data."),
    frozenset(),
)


def program_output(text: bytes) -> ProgramOutput | None:
    """Return what output the beginning of a file is of a known program; None for others."""
    start = text[:FIRST].lstrip()
    if _MARKDOWN.match(start):
        return MARKDOWN
    if not start.startswith((b"{", b"[")):
        return None
    names = {name.decode("utf-8", "replace") for name in _MEMBER.findall(start)}
    if any(map(TOKEN.fullmatch, names)):
        return next(one for one in OF_FLORENCE if names >= one.members)
    fits = (one for one in OUTPUTS if names >= one.members and not names & one.others)
    return next(fits, None)


def advice_of(kind: str) -> str:
    """Return what to do with an output of a kind; empty for another."""
    known = (*OUTPUTS, *OF_FLORENCE, MARKDOWN)
    return next((one.advice for one in known if one.kind == kind), "")
