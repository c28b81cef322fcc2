"""METEOR in chunks, for any process with the same language data."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from jurydesk.core.language import translatable
from jurydesk.core.metrics.meteor.batch import Batch, Pair
from jurydesk.core.metrics.meteor.config import TASKS, Config
from jurydesk.core.metrics.meteor.scorer import meteor_with_digest
from jurydesk.core.model.chunk import Check, ChunkKind, ChunkRequest, split_items

CHUNK = 1000
"""Pairs in a chunk, some 30 ms of stories: all workers are busy until the last one."""


@dataclass(frozen=True, slots=True)
class MeteorSettings:
    """Configuration as plain values, with the digest of the language data."""

    task: str
    normalise: bool
    keep_punctuation: bool
    lowercase: bool
    characters: bool
    beam: int
    language: str
    matches: bool = False

    @property
    def config(self) -> Config:
        """Configuration of METEOR."""
        return Config(
            TASKS[self.task],
            self.normalise,
            self.keep_punctuation,
            self.lowercase,
            self.characters,
            self.beam,
        )


@dataclass(frozen=True, slots=True, eq=False)
class Texts:
    """Hypotheses with the references of each."""

    hypotheses: Sequence[str]
    references: Sequence[Sequence[str]]

    def __post_init__(self) -> None:
        if len(self.hypotheses) != len(self.references):
            raise ValueError("hypotheses and references differ in number")

    def __len__(self) -> int:
        return len(self.hypotheses)


def meteor_request(
    pairs: Sequence[Pair], config: Config, language: str, *, matches: bool = False
) -> ChunkRequest[MeteorSettings, Texts, Batch]:
    """Return the request for these pairs; `language` is the digest of the language data.

    With `matches` the statistics include those with the best reference.
    """
    settings = MeteorSettings(
        config.weights.name,
        config.normalise,
        config.keep_punctuation,
        config.lowercase,
        config.characters,
        config.beam,
        language,
        matches,
    )
    references = sum(len(texts) for _, texts in pairs)
    size = max(1, CHUNK * len(pairs) // max(1, len(pairs), references))
    chunks = [
        Texts([one for one, _ in part], [texts for _, texts in part])
        for part in split_items(pairs, size)
    ]
    return ChunkRequest(METEOR, settings, chunks, translatable("Scoring METEOR"))


def score_meteor_chunk(settings: MeteorSettings, chunk: Texts, check: Check) -> Batch:
    """Score a chunk with this process's METEOR; raises `ResourceMissing`."""
    pairs = list(zip(chunk.hypotheses, chunk.references, strict=True))
    return meteor_with_digest(settings.language).score_many(
        pairs, settings.config, check=check, matches=settings.matches
    )


METEOR = ChunkKind("meteor", score_meteor_chunk, MeteorSettings, Texts, Batch)
