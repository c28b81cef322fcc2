"""METEOR 1.5 for English: the numbers of meteor-1.5.jar, without Java.

A `Config` has the text normalization and the weights: `profile("vist")`,
`profile("coco")` or `jar_config(task, norm=..., lower=..., no_punct=..., char=...)`. The language
data are converted once into an index (by `open_or_build_index`, with progress).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from jurydesk.core.metrics.meteor.alignment.alignment import Alignment, AlignmentMatch
from jurydesk.core.metrics.meteor.alignment.engine import engine
from jurydesk.core.metrics.meteor.batch import Batch, Pair, concatenate_batches
from jurydesk.core.metrics.meteor.config import Config, jar_config, profile
from jurydesk.core.metrics.meteor.formula import corpus_score
from jurydesk.core.metrics.meteor.language_data.index_location import open_or_build_index
from jurydesk.core.metrics.meteor.language_data.source_files import LanguageDataMissing
from jurydesk.core.metrics.meteor.scorer import Meteor, language_digest, shared_meteor

if TYPE_CHECKING:
    from jurydesk.core.execution.run import Run

__all__ = [
    "Alignment",
    "AlignmentMatch",
    "Batch",
    "Config",
    "LanguageDataMissing",
    "Meteor",
    "Pair",
    "align",
    "corpus_score",
    "engine",
    "jar_config",
    "open_or_build_index",
    "profile",
    "score",
    "score_many",
    "shared_meteor",
]


def score(hypothesis: str, references: Sequence[str], profile: str | Config = "vist") -> Alignment:
    """Return the alignment with the best reference; its `.score` is METEOR's.

    `profile` is a configuration or the name of one (`vist`, `coco`). Without references the score
    is -1, as in the jar's interface. Raises ValueError for an unknown profile.
    """
    return shared_meteor().score(hypothesis, references, _config(profile))


def align(hypothesis: str, reference: str, config: str | Config = "vist") -> Alignment:
    """Return the alignment of a hypothesis with one reference."""
    return shared_meteor().align(hypothesis, reference, _config(config))


def score_many(
    pairs: Sequence[Pair],
    config: str | Config = "vist",
    run: Run | None = None,
    *,
    matches: bool = False,
) -> Batch:
    """Return the counts (n, 23), scores (n,) and best references (n,) of n hypotheses.

    With `matches`, the batch includes the matches with the best reference. `run` provides
    progress, cancellation and workers; without one the caller's thread computes.
    """
    opened = shared_meteor(run)
    if run is None:
        return opened.score_many(pairs, _config(config), matches=matches)
    from jurydesk.core.metrics.meteor.meteor_chunks import meteor_request

    language = language_digest(opened.index.sources)
    return concatenate_batches(
        list(run.each(meteor_request(pairs, _config(config), language, matches=matches)))
    )


def _config(config: str | Config) -> Config:
    return profile(config) if isinstance(config, str) else config
