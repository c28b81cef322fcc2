"""Flat form of a scored submission, which workers return and caches store."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from jurydesk.core.competition.task import AnyTask
from jurydesk.core.model.defects import Defect
from jurydesk.core.model.evaluation import (
    Curve,
    Evaluation,
    FloatArray,
    IntArray,
    Interval,
    ItemTable,
    Json,
    Score,
)
from jurydesk.core.model.evidence_blocks import EvidenceBlock, PackedEvidence, pack_blocks
from jurydesk.core.model.evidence_columns import ColumnEvidence
from jurydesk.core.model.json_codec import figure_from_json, figure_json, from_json, to_json
from jurydesk.core.model.json_evidence import PackedJsonEvidence, json_blocks

Bytes = npt.NDArray[np.uint8]


@dataclass(frozen=True, slots=True, eq=False)
class PackedSubmission:
    """Scored submission: its name and defects, and its evaluation with intervals.

    Attributes:
        refusal: Why it was not scored here: `this` submission, or `all` of the run; else empty.
        head: Everything that is not an array.
        columns: Item columns (columns, items).
        evidence_of: Index (items,) of each item's evidence; empty without one.
        members: Curves of the items, concatenated.
        evidence: Packed blocks, or JSON of each piece of evidence, concatenated.
    """

    refusal: str
    head: dict[str, Json]
    columns: FloatArray
    evidence_of: IntArray
    members: FloatArray
    evidence: Bytes

    def __len__(self) -> int:
        """Return 0 for a refusal, which no cache may repeat."""
        return 0 if self.refusal else 1


def refused(refusal: str) -> PackedSubmission:
    """Return a submission that the desk has to score itself."""
    none = np.zeros(0)
    return PackedSubmission(
        refusal, {}, none.reshape(0, 0), none.astype(np.int64), none, none.astype(np.uint8)
    )


@dataclass(frozen=True, slots=True, eq=False)
class SubmissionOutcome:
    """What a worker found: name and description in the file, defects, and the evaluation."""

    name: str
    about: str
    defects: tuple[Defect, ...]
    plausibility: tuple[Defect, ...]
    evaluation: Evaluation | None


def pack_submission(outcome: SubmissionOutcome) -> PackedSubmission:
    """Return the flat form; the evidence is packed as in a desk."""
    head: dict[str, Json] = {
        "name": outcome.name,
        "about": outcome.about,
        "defects": to_json(outcome.defects),
        "plausibility": to_json(outcome.plausibility),
        "evaluation": None,
    }
    evaluation = outcome.evaluation
    if evaluation is None:
        return replace(refused(""), head=head)
    items = evaluation.items
    members = [
        figure.members
        for figure in evaluation.figures
        if isinstance(figure, Curve) and figure.members is not None
    ]
    evidence, layout = _pack_evidence(items)
    head["evaluation"] = {
        "task": evaluation.task,
        "system": evaluation.system,
        "profile": evaluation.profile,
        # Not to_json, which does not distinguish undefined and infinite numbers.
        "scores": [asdict(score) for score in evaluation.scores],
        "figures": [[figure_json(figure), _members_shape(figure)] for figure in evaluation.figures],
        "defects": to_json(evaluation.defects),
        "about": evaluation.about,
        "ids": list(items.ids),
        "columns": list(items.columns),
        "noun": items.noun,
        "evidence": layout,
        "is_shared": items.evidence_of is not None,
    }
    columns = list(items.columns.values())
    return PackedSubmission(
        "",
        head,
        np.stack(columns) if columns else np.zeros((0, len(items))),
        np.zeros(0, np.int64) if items.evidence_of is None else items.evidence_of,
        np.concatenate([one.ravel() for one in members]) if members else np.zeros(0),
        np.frombuffer(b"".join(evidence), np.uint8),
    )


def _members_shape(figure: Any) -> list[int] | None:
    members = figure.members if isinstance(figure, Curve) else None
    return None if members is None else list(members.shape)


def _pack_evidence(items: ItemTable) -> tuple[list[bytes], Json]:
    """Return the pieces of evidence as bytes, and what tells them apart."""
    evidence = items.evidence
    if evidence is None:
        return [], None
    if isinstance(evidence, ColumnEvidence):
        blocks = pack_blocks(evidence, ())
        pieces = [piece for one in blocks for piece in (one.compressed, one.fractions)]
        return pieces, {
            "blocks": [
                [one.part, one.first, one.sha256, len(one.compressed), len(one.fractions)]
                for one in blocks
            ]
        }
    count = len(items) if items.evidence_of is None else int(items.evidence_of.max(initial=-1)) + 1
    pieces = list(json_blocks(evidence, count))
    return pieces, {"json": list(map(len, pieces))}


def unpack_submission(task: AnyTask, packed: PackedSubmission) -> SubmissionOutcome | None:
    """Return the outcome of `pack_submission`; None if it was refused, or is damaged in a cache."""
    head = packed.head
    try:
        found = head["evaluation"]
        return SubmissionOutcome(
            head["name"],
            head["about"],
            from_json(tuple[Defect, ...], head["defects"]),
            from_json(tuple[Defect, ...], head["plausibility"]),
            None if found is None else _unpack_evaluation(task, packed, found),
        )
    except (KeyError, TypeError, ValueError):
        return None


def _unpack_evaluation(task: AnyTask, packed: PackedSubmission, data: Json) -> Evaluation:
    scores = tuple(
        Score(**{**one, "interval": one["interval"] and Interval(**one["interval"])})
        for one in data["scores"]
    )
    figures, position = [], 0
    for content, shape in data["figures"]:
        members = None
        if shape is not None:
            size = shape[0] * shape[1]
            members = packed.members[position : position + size].reshape(shape)
            position += size
        figures.append(figure_from_json(content, members))
    evidence = _unpack_evidence(task, packed.evidence, data["evidence"])
    items = ItemTable(
        tuple(data["ids"]),
        dict(zip(data["columns"], packed.columns, strict=True)),
        evidence,
        data["noun"],
        packed.evidence_of if data["is_shared"] else None,
    )
    defects = from_json(tuple[Defect, ...], data["defects"])
    return Evaluation(
        data["task"],
        data["system"],
        data["profile"],
        scores,
        items,
        tuple(figures),
        defects,
        about=data["about"],
    )


def _unpack_evidence(task: AnyTask, content: Bytes, layout: Json) -> Any:
    if layout is None:
        return None
    if "blocks" in layout:
        sizes = [size for *_, size, rest in layout["blocks"] for size in (size, rest)]
        pieces = _cut(content, sizes)
        blocks = [
            EvidenceBlock(part, first, sha256, b"", pieces[2 * i + 1], pieces[2 * i])
            for i, (part, first, sha256, *_) in enumerate(layout["blocks"])
        ]
        return PackedEvidence(blocks, task.readers.load_evidence)
    return PackedJsonEvidence(_cut(content, layout["json"]), task.readers.load_evidence)


def _cut(content: Bytes, sizes: Sequence[int]) -> list[bytes]:
    return [part.tobytes() for part in cut(content, sizes)]


def cut(content: Bytes, sizes: Sequence[int]) -> list[Bytes]:
    """Return consecutive parts of these sizes; ValueError if they are not the whole."""
    if sum(sizes) != len(content):
        raise ValueError("the parts have another length than the whole")
    return np.split(content, np.cumsum(sizes, dtype=np.int64)[:-1]) if sizes else []
