"""Data classes of ranked answers: rounds of dialogues with options, relevances and ranks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from jurydesk.core.model.evaluation import FloatArray, IntArray
from jurydesk.core.tasks.item_fields import Fields

RoundKey = tuple[int, int]
"""Image and round, counted from 1."""


def round_id(key: RoundKey) -> str:
    """Return the id of a round, such as `486531-3`."""
    return f"{key[0]}-{key[1]}"


def text_at(texts: tuple[str, ...], index: int) -> str:
    """Return a text by its index; empty for an index of none."""
    return texts[index] if 0 <= index < len(texts) else ""


@dataclass(frozen=True, slots=True)
class Dialogue:
    """Caption of an image, and the questions and true answers of its rounds, as text indices.

    A true answer that the file does not state is -1.
    """

    caption: str
    turns: tuple[tuple[int, int], ...]


@dataclass(frozen=True, eq=False)
class RankReferences:
    """Rounds with options in the order of the dialogues.

    Attributes:
        path, named_by: Path and name of the file of dialogues.
        keys: Image and round of each round with options.
        truth: Index of the true option (rounds,); -1 if the file does not state it.
        options: Text index of every option of each round; empty in a participant kit.
        sizes: Number of options (rounds,).
        relevance: Relevances of the options, by index of the round.
        relevance_path: Path of the dense annotations; empty without.
        last: Whether a round is the last one of its dialogue (rounds,).
        fields: Other members of each round and its dialogue, which slices use.
    """

    path: str
    named_by: str
    keys: tuple[RoundKey, ...]
    truth: IntArray
    options: tuple[IntArray, ...]
    sizes: IntArray
    relevance: Mapping[int, FloatArray]
    relevance_path: str
    last: tuple[bool, ...]
    dialogues: Mapping[int, Dialogue] = field(default_factory=dict)
    questions: tuple[str, ...] = ()
    answers: tuple[str, ...] = ()
    fields: Mapping[int, Fields] = field(default_factory=dict)

    @cached_property
    def index(self) -> Mapping[RoundKey, int]:
        """Index of each round by image and round."""
        return {key: number for number, key in enumerate(self.keys)}

    @cached_property
    def dense(self) -> IntArray:
        """Indices of the rounds with relevances, in the order of the dialogues."""
        return np.array(sorted(self.relevance), np.int64)

    def question(self, number: int) -> str:
        """Return the text of a round's question; empty if it is unknown."""
        image, turn = self.keys[number]
        dialogue = self.dialogues.get(image)
        is_known = dialogue is not None and bool(dialogue.turns)
        return text_at(self.questions, dialogue.turns[turn - 1][0]) if dialogue and is_known else ""

    def required(self, rounds: str) -> IntArray:
        """Return the indices of the rounds that `all`, `dense` or `last` names."""
        if rounds == "dense":
            return self.dense
        if rounds == "last":
            return np.flatnonzero(self.last)
        return np.arange(len(self.keys))


@dataclass(frozen=True, slots=True, eq=False)
class Ranking:
    """Ranks of one system, by index of the round.

    Attributes:
        path: Path of the submission.
        rounds: Indices of the scored rounds in ascending order.
        ranks: Rank of every option, counted from 1, for each of them; None where it is missing.
        scores: Scores of the options, where the file has these in place of ranks.
        base: First round of a dialogue in the file.
    """

    path: str
    rounds: IntArray
    ranks: tuple[IntArray | None, ...]
    scores: Mapping[int, FloatArray]
    base: int
