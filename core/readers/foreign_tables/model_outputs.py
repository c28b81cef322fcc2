"""Outputs of models that look like tables of results: their "score" is a confidence."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from jurydesk.core.language import fill, join_messages, translatable
from jurydesk.core.model.defects import Defect, Place, error
from jurydesk.core.model.evaluation import Json
from jurydesk.core.readers.foreign_tables.column_roles import (
    NAMES,
    find_roles,
    is_confidence_name,
    is_metric_name,
    name_words,
    normalize_name,
)
from jurydesk.core.readers.foreign_tables.foreign_table import ForeignColumn, ForeignTable

_SHAPES = """
bbox bboxes box boxes bounding_box segmentation segmentations keypoints polygon polygons mask masks
rle predictionstring
"""
_QUERIES = "q qid q_id query query_id topic topic_id question_id"
_DOCUMENTS = """
d doc docid doc_id docno document document_id did passage passage_id pid corpus_id retrieved
retrieved_id
"""
_RANKED = """
score scores rank ranking position similarity sim distance relevance rel relevant label iter
iteration q0 grade judgment judgement value
"""
_OUTPUTS = "label class category predicted_class predicted_label class_name"
SHAPES = frozenset(_SHAPES.split())
"""Names of members with boxes, masks or keypoints."""
_CORNER = re.compile(r"(?:bbox_?|box_?)?([xy])(?:_?(?:min|max|[0-3]|center|c))?|(left|top)")
_SIZES = frozenset(("w", "h", "width", "height"))
"""Names of the size of a box; `x` and `y` without one are any two numbers."""
_MEMBER = re.compile(r'"([^"\\]{1,60})"\s*:')
QUERIES, DOCUMENTS = frozenset(_QUERIES.split()), frozenset(_DOCUMENTS.split())
ENTRIES = frozenset(("candidate", "candidate_id", "entry", "entry_id"))
"""Names of documents that are systems where questions are answered."""
RANKED = frozenset(_RANKED.split())
"""Names of numbers that rank documents, or judge them."""
OUTPUTS = frozenset((*NAMES["text"], *_OUTPUTS.split()))
FEWEST = 3
"""Rows from which on values look like confidences."""


@dataclass(frozen=True, slots=True)
class ModelOutputs:
    """Sentence on what a file is, and what to do."""

    found: str
    hint: str

    def defect(self, path: str) -> Defect:
        """Return the refusal of a table whose scores nobody named."""
        named = translatable("--score COLUMN takes a column as it is.")
        return error(Place(path), self.found, "", join_messages([self.hint, named]))


DETECTIONS = ModelOutputs(
    translatable("These are boxes, masks or keypoints of a model, not results of an evaluation."),
    translatable("Evaluate them first, such as with FiftyOne, and give the scores of images."),
)
MATCHES = ModelOutputs(
    translatable("These are pycocotools' matches of boxes: no score of an image is in them."),
    translatable("AP is not a mean of images: give those of FiftyOne's evaluate_detections."),
)
MATCH_MEMBERS = frozenset(("dt_matches", "gt_matches"))
RUN = ModelOutputs(
    translatable("These are documents ranked or judged for queries, not results of an evaluation."),
    translatable("Evaluate them first, such as with trec_eval -q or ir_measures."),
)


def outputs_by_names(names: Iterable[str]) -> ModelOutputs | None:
    """Return what outputs columns of these names are; None if they may be results."""
    names = list(names)
    if set(map(normalize_name, names)) >= MATCH_MEMBERS:
        return MATCHES
    parts = {part for name in names for part in (normalize_name(name), *_members(name))}
    if any(_is_evaluated(name) for name in parts):
        return None
    corners = {match[1] or match[2] for name in parts if (match := _CORNER.fullmatch(name))}
    if parts >= {"x", "y"} and not parts & _SIZES:
        corners = {one for one in corners if one not in ("x", "y")}
    numbers = any(is_confidence_name(name) or name in RANKED for name in parts)
    if parts & SHAPES or (corners >= {"x", "y"} and numbers) or corners >= {"left", "top"}:
        return DETECTIONS
    documents = DOCUMENTS if parts & {"question_id"} else DOCUMENTS | ENTRIES
    return RUN if parts & QUERIES and parts & documents and parts & RANKED else None


def outputs_of_json(text: str) -> ModelOutputs | None:
    """Return what outputs the first record of a beginning of JSON has; None if none are known."""
    return outputs_by_names(_MEMBER.findall(text.partition("}")[0]))


def _members(name: str) -> list[str]:
    return [normalize_name(part) for part in name.split(".")]


def _is_evaluated(name: str) -> bool:
    """Return whether a name is that of a metric, and of no score that a model may give."""
    return bool(is_metric_name(name) and not name_words(name) <= RANKED)


def model_outputs(table: ForeignTable) -> ModelOutputs | None:
    """Return what outputs of a model a table has in the place of results, else None."""
    found = outputs_by_names(one.name for one in table.columns)
    if found is not None:
        return found
    roles = find_roles([one.name for one in table.columns], ("system", "metric"))
    others = [one for one in table.columns if is_metric_name(one.name)]
    has_outputs = any(normalize_name(one.name) in OUTPUTS for one in table.columns)
    if roles or len(others) != 1 or not has_outputs or not _looks_confident(others[0]):
        return None
    return confidence_of(others[0].name)


def confidence_of(name: str) -> ModelOutputs:
    """Return that a column is a confidence."""
    shown = f'"{name}"'
    return ModelOutputs(
        str(fill("The column {name} looks like a model's confidence, not a score.", shown)),
        translatable("Evaluate the outputs first, and give the scores of items."),
    )


def _looks_confident(column: ForeignColumn) -> bool:
    """Return whether a column named score has values as models give them: all different.

    Results of evaluations repeat, and some are 0 or 1.
    """
    if not name_words(column.name) <= {"score", "scores"}:
        return False
    numbers = column.numbers
    values = numbers.values[np.isfinite(numbers.values)]
    is_different = len(values) == len(column) >= FEWEST and not numbers.wrong
    return bool(is_different and (values <= 1).all() and (values != np.floor(values)).all())


def outputs_of_data(data: Json) -> ModelOutputs | None:
    """Return what outputs a document without a table has; None if none are known."""
    if isinstance(data, list):
        first = next((one for one in data if one is not None), None)
        found = outputs_by_names(first) if isinstance(first, dict) else None
        return found if found is MATCHES else None
    return RUN if _is_run_of_documents(data) else None


def _is_run_of_documents(data: Json) -> bool:
    """Return whether a document has the scores of documents by query: they are seldom shared."""
    if not isinstance(data, dict) or len(data) < 2:
        return False
    if not all(isinstance(one, dict) and one for one in data.values()):
        return False
    if not all(type(n) in (int, float) for one in data.values() for n in one.values()):
        return False
    different = {name for one in data.values() for name in one}
    return 2 * sum(map(len, data.values())) <= len(different) * len(data)
