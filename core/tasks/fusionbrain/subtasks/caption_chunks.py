"""Chunked execution of METEOR with RuWordNet for captions and VQA answers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import pairwise
from pathlib import Path

import numpy as np

from jurydesk.core.metrics.russian_meteor import number_tagger
from jurydesk.core.metrics.russian_meteor.caption_words import NumberTagger, digit_tagger
from jurydesk.core.metrics.russian_meteor.ruwordnet import RuWordNet
from jurydesk.core.metrics.russian_meteor.staged_meteor import StagedCounts
from jurydesk.core.model.chunk import Check, ChunkKind
from jurydesk.core.model.chunk_codec import NO_IDENTITY, content_digest
from jurydesk.core.model.evaluation import BoolArray, FloatArray, IntArray, ResourceMissing
from jurydesk.core.neural.weights.weight_hashes import sha256_of
from jurydesk.core.neural.weights.weight_roles import find_weights, installed_weights
from jurydesk.core.tasks.fusionbrain.subtasks.caption_similarity import (
    TextComparer,
    TextComparison,
    text_comparer,
)


@dataclass(frozen=True, slots=True)
class ImageTextSettings:
    """Sub-task, profile, and digests and paths of RuWordNet and NLTK's tagger ("" without it)."""

    subtask: str
    published: bool
    wordnet_digest: str
    tagger_digest: str
    wordnet: str = field(metadata=NO_IDENTITY)
    tagger: str = field(metadata=NO_IDENTITY)


@dataclass(frozen=True, slots=True, eq=False)
class PredictedTexts:
    """Predicted texts with their accepted texts."""

    texts: Sequence[str]
    accepted: Sequence[Sequence[str]]

    def __post_init__(self) -> None:
        if len(self.texts) != len(self.accepted):
            raise ValueError("texts and accepted texts differ in length")

    def __len__(self) -> int:
        return len(self.texts)


@dataclass(frozen=True, slots=True, eq=False)
class TextScores:
    """Results of n comparisons of k texts; text i owns the rows `starts[i]:starts[i + 1]`.

    `counts` (n, 4) are the words of both texts, the matches and the chunks. Where `by_number`
    (n,) is True, the numbers spelled in `numbers` and `wanted` (accepted) were compared instead.
    """

    starts: IntArray
    scores: FloatArray
    counts: IntArray
    by_number: BoolArray
    numbers: Sequence[str]
    wanted: Sequence[str]

    def __post_init__(self) -> None:
        n = len(self.scores)
        shapes = (self.counts.shape, self.by_number.shape, len(self.numbers), len(self.wanted))
        if shapes != ((n, 4), (n,), n, n) or self.starts[-1] != n:
            raise ValueError("the columns of the comparisons differ in length")

    def __len__(self) -> int:
        return len(self.starts) - 1

    def comparisons(self, gamma: float) -> list[tuple[TextComparison, ...]]:
        """Return the comparisons of every text; `gamma` is the weight of METEOR's penalty."""
        counts = [
            None if by_number else StagedCounts(row[0], row[1], row[2], row[3], gamma)
            for row, by_number in zip(self.counts.tolist(), self.by_number.tolist(), strict=True)
        ]
        rows = [
            TextComparison(*row)
            for row in zip(self.scores.tolist(), counts, self.numbers, self.wanted, strict=True)
        ]
        return [tuple(rows[first:last]) for first, last in pairwise(self.starts.tolist())]


def tagger_digest(folder: Path) -> str:
    """Return the digest of the files of NLTK's tagger."""
    return content_digest(*map(sha256_of, number_tagger.tagger_files(folder)))


def compare_texts(settings: ImageTextSettings, chunk: PredictedTexts, check: Check) -> TextScores:
    """Compare the texts of a chunk; raise ResourceMissing if resources differ on this machine."""
    comparer = _open_comparer(settings)
    rows: list[TextComparison] = []
    starts = [0]
    for text, accepted in zip(chunk.texts, chunk.accepted, strict=True):
        check()
        rows += comparer.compare_all(text, accepted)
        starts.append(len(rows))
    counts = [
        (n.hypothesis, n.reference, n.matches, n.chunks) if (n := row.counts) else (0, 0, 0, 0)
        for row in rows
    ]
    return TextScores(
        starts=np.array(starts, np.int64),
        scores=np.array([row.score for row in rows], np.float64),
        counts=np.array(counts, np.int64).reshape(-1, 4),
        by_number=np.array([row.counts is None for row in rows], np.bool_),
        numbers=[row.number for row in rows],
        wanted=[row.accepted_number for row in rows],
    )


@lru_cache(maxsize=4)
def _open_comparer(settings: ImageTextSettings) -> TextComparer:
    """Return the text comparer with this machine's copies of the resources."""
    wordnet = installed_weights("ruwordnet", settings.wordnet, settings.wordnet_digest)
    tagger: NumberTagger = digit_tagger
    if settings.tagger_digest:
        tagger = number_tagger.perceptron_numbers(_tagger_folder(settings))
    return text_comparer(
        settings.subtask, RuWordNet(wordnet.path), tagger, published=settings.published
    )


def _tagger_folder(settings: ImageTextSettings) -> Path:
    for paths in ({"nltk": Path(settings.tagger)}, {}):
        found = find_weights("nltk", paths).found
        if found is not None and _is_same_tagger(found.path, settings.tagger_digest):
            return found.path
    raise ResourceMissing(f"nltk_data: the tagger's files are missing: {settings.tagger}.")


def _is_same_tagger(folder: Path, digest: str) -> bool:
    files = number_tagger.tagger_files(folder)
    return all(path.is_file() for path in files) and tagger_digest(folder) == digest


TEXT_CHUNKS = ChunkKind(
    "fusionbrain texts",
    compare_texts,
    ImageTextSettings,
    PredictedTexts,
    TextScores,
    releases_gil=False,
)
