"""A ranked list as a table, and what is said of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np

from app import format
from app.models.columns import Column, NumberColumn, TextColumn
from core.model import FloatArray
from core.tasks.keyword_spotting.evidence import RankedItem, RankedList

Kind = Literal["hit", "missed", "other"]
_PAINT = {"hit": "good", "missed": "bad"}


def kind_of(entry: RankedItem) -> Kind:
    """Whether a word was found, was relevant and never listed, or neither."""
    if entry.rank == 0:
        return "missed"
    return "hit" if entry.hit else "other"


def caption(entry: RankedItem) -> str:
    """A word's box in words."""
    kind = kind_of(entry)
    if kind == "missed":
        return "relevant, never listed"
    return f"rank {format.count(entry.rank)}{', hit' if kind == 'hit' else ''}"


def summary(ranked: RankedList) -> str:
    """What the list came to, and which part of it is shown."""
    found = sum(entry.hit for entry in ranked.items)
    text = (
        f"{format.count(found)} of {format.counted(ranked.relevant, 'relevant item')} found "
        f"in {format.counted(ranked.listed, 'rank')}"
    )
    if len(ranked.items) < ranked.listed:
        unbroken = sum(1 for place, entry in enumerate(ranked.items, 1) if entry.rank == place)
        text += f"; shown: first {format.count(unbroken)} ranks and every hit below"
    return f"{text}."


def running_precision(ranked: RankedList) -> FloatArray:
    """The precision (items,) at the rank of each shown item; NaN for missed ones.

    All hits are among the shown items, so that it is right below the gap as well.
    """
    ranks = np.array([entry.rank for entry in ranked.items], dtype=np.float64)
    hits = np.cumsum([entry.hit for entry in ranked.items])
    missed = np.full(len(ranked.missed), np.nan)
    return np.concatenate((hits / ranks if len(ranks) else ranks, missed))


def columns(ranked: RankedList) -> list[Column]:
    """The columns of the table: those that no item fills are left out."""
    items = (*ranked.items, *ranked.missed)
    kinds: Sequence[Kind] = [kind_of(entry) for entry in items]
    boxed = any(entry.box is not None for entry in items)
    ranks = np.array([entry.rank or np.nan for entry in items], dtype=np.float64)
    marks = ["" if kind == "other" else kind for kind in kinds]
    found: list[Column] = [
        NumberColumn("rank", "Rank", ranks, 0, "The place in the list, from 1."),
        TextColumn(
            "found",
            "Found",
            marks,
            "A hit, or a relevant item that was never listed (missed).",
            lambda row: _PAINT.get(marks[row], ""),
        ),
        TextColumn("name", "Page" if boxed else "Document", [entry.name for entry in items]),
    ]
    if any(entry.text for entry in items):
        found.append(TextColumn("text", "Text", [entry.text for entry in items]))
    found.append(
        NumberColumn(
            "precision",
            "Precision",
            running_precision(ranked),
            tooltip="Share of hits among the ranks up to this one.",
        )
    )
    gains = np.array([entry.gain for entry in items])
    found.append(NumberColumn("gain", "Gain", gains, 2, "The relevance that judges gave."))
    scores = np.array([entry.score for entry in items])
    if not np.isnan(scores).all():
        found.append(NumberColumn("score", "Score", scores, tooltip="The system's own score."))
    if boxed:
        boxes = [entry.box or (0, 0, 0, 0) for entry in items]
        found.append(TextColumn("box", "Box", [", ".join(map(str, box)) for box in boxes],
                                "x, y, width and height in pixels."))  # fmt: skip
    return found
