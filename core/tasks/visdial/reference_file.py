"""Reference sets as the published evaluation reads them: a list with one object for a question."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator
from typing import BinaryIO

from core.model import Json
from core.tasks.visdial.building import Built
from core.tasks.visdial.conversations import Conversations

DIGITS = 4
"""Decimals that are kept of correlations."""


def write_sets(
    file: BinaryIO, dialogs: Conversations, parts: Iterable[Built], *, correlations: bool = False
) -> int:
    """Write the sets of all parts, each as soon as it is built; how many there are.

    With `correlations`, every question also has those of its candidates and the threshold.
    """
    count = 0
    for part in parts:
        for entry in entries(dialogs, part, correlations=correlations):
            file.write(b",\n" if count else b"[\n")
            file.write(json.dumps(entry).encode())
            count += 1
    file.write(b"\n]\n" if count else b"[]\n")
    return count


def entries(
    dialogs: Conversations, part: Built, *, correlations: bool
) -> Iterator[dict[str, Json]]:
    """The published object of every round of a part."""
    for i, row in enumerate(part.rows.tolist()):
        mask = part.masks[i].tolist()
        options = dialogs.candidates[row].tolist()
        image, number = dialogs.key(row)
        entry: dict[str, Json] = {
            "image_id": image,
            "round_id": number,
            "in_cluster_idxs": [int(marked) for marked in mask],
            "refs": [dialogs.answers[n] for n, marked in zip(options, mask, strict=True) if marked],
            "question": dialogs.questions[dialogs.question[row]],
            "gt_answer": dialogs.answers[dialogs.answer[row]],
        }
        if correlations:
            entry["correlations"] = [_rounded(one) for one in part.correlations[i].tolist()]
            entry["threshold"] = _rounded(float(part.thresholds[i]))
        yield entry


def _rounded(value: float) -> float | None:
    return round(value, DIGITS) if math.isfinite(value) else None
