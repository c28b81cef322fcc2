"""Evaluator of visual storytelling: METEOR against the best human story of each sequence."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
import numpy.typing as npt

from jurydesk.core.competition.task import GROUP
from jurydesk.core.execution.run import Run
from jurydesk.core.metrics.meteor import profile, score_many
from jurydesk.core.metrics.meteor.batch import first_of_the_highest
from jurydesk.core.metrics.meteor.config import MODULES
from jurydesk.core.model.evaluation import (
    Evaluation,
    FloatArray,
    IntArray,
    ItemTable,
    MetricInfo,
    Score,
)
from jurydesk.core.model.evidence_columns import (
    ColumnEvidence,
    EvidenceColumn,
    EvidenceColumns,
    list_lengths,
)
from jurydesk.core.tasks.meteor_resources import language_data, meteor_resources
from jurydesk.core.tasks.vist.stories import (
    PhotoSequence,
    StoryReferences,
    StorySubmission,
    sequence_id,
)
from jurydesk.core.tasks.vist.vist_evidence import METEOR_PROFILE, StoryEvidence
from jurydesk.core.tasks.vist.vist_options import VistOptions

STATISTICS = (
    "words",
    "human_words",
    "function_words",
    "human_function_words",
    *(
        f"{module}_{side}{kind}"
        for module in MODULES
        for kind in ("content", "function")
        for side in ("", "human_")
    ),
    "chunks",
    "matched_words",
    "human_matched_words",
)
"""METEOR's 23 counts against the best human story, in its order."""

METEOR = MetricInfo(
    name="meteor",
    title="METEOR",
    summary="Mean over photo sequences of the best METEOR of the story against a human story.",
    range=(0.0, 1.0),
    better="higher",
    source="VIST Challenge 2018, EvalVIST; Denkowski and Lavie, WMT 2014 (METEOR 1.5, task hter)",
    statistics=STATISTICS,
    headline=True,
)


@dataclass(frozen=True, slots=True, eq=False)
class StoryScores:
    """METEOR of every story against each of its human stories.

    Attributes:
        starts: Sequence i owns the rows `starts[i]:starts[i + 1]` of `scores`.
        counts: METEOR's counts (sequences, 23) of the best rows.
        scores: METEOR (n,) of each pair of stories.
        best: First row (sequences,) with the highest score of each sequence.
        matches: Matches (m, 5) of the best rows.
        lengths: Number (sequences,) of matches of each best row.
    """

    starts: Sequence[int]
    counts: FloatArray
    scores: FloatArray
    best: IntArray
    matches: npt.NDArray[np.int32 | np.uint16]
    lengths: npt.NDArray[np.int32]

    def best_stories(self) -> IntArray:
        """Return the 0-based index (sequences,) of the best human story of each sequence."""
        return self.best - np.array(self.starts[:-1], np.int64)


def evaluate(
    references: StoryReferences, submission: StorySubmission, options: VistOptions, run: Run
) -> Evaluation:
    """Score a submission and each of its stories.

    Raises:
        ResourceMissing: METEOR's language data are not installed.
    """
    sequences = references.scored
    scored = _score_stories(sequences, submission, options, run)
    columns = {name: scored.counts[:, i] for i, name in enumerate(STATISTICS)}
    best = scored.scores[scored.best]
    items = ItemTable(
        ids=tuple(sequence_id(sequence.photos) for sequence in sequences),
        columns={
            METEOR.name: best,
            "human_stories": np.array([len(entry.stories) for entry in sequences], np.float64),
            GROUP: _albums(sequences),
            "best_story": scored.best_stories().astype(np.float64),
            **columns,
        },
        evidence=ColumnEvidence(
            partial(_evidence, sequences, submission, options, scored), StoryEvidence.from_row
        ),
        noun="sequence",
    )
    mean = math.fsum(best) / len(best)
    score = Score(METEOR.name, mean, len(best), float(np.std(best)))
    return Evaluation("vist", submission.system, options.profile, (score,), items)


def _albums(sequences: Sequence[PhotoSequence]) -> FloatArray:
    """Return the album numbers (sequences,), in the order of first appearance."""
    numbers: dict[str, int] = {}
    return np.array([numbers.setdefault(one.album, len(numbers)) for one in sequences], np.float64)


def settings(references: StoryReferences, options: VistOptions) -> dict[str, str]:
    """Return METEOR's settings for the short stamp."""
    config = profile(METEOR_PROFILE)
    return {"meteor": "1.5", "task": config.weights.name, "norm": config.text_mode}


def resources(references: StoryReferences, options: VistOptions) -> dict[str, str]:
    """Return the SHA-256 of every file of METEOR's language data."""
    return meteor_resources()


def _score_stories(
    sequences: Sequence[PhotoSequence], submission: StorySubmission, options: VistOptions, run: Run
) -> StoryScores:
    pairs = []
    starts = [0]
    for sequence in sequences:
        story = options.scored_text(submission.stories[sequence.photos])
        pairs += [(story, (options.scored_text(human.text),)) for human in sequence.stories]
        starts.append(len(pairs))
    with language_data():
        batch = score_many(pairs, METEOR_PROFILE, run, matches=True)
    rows = first_of_the_highest(batch.scores, np.array(starts, np.int64))
    is_best = np.zeros(len(batch), np.bool_)
    is_best[rows] = True
    return StoryScores(
        starts,
        batch.rows[rows],
        batch.scores,
        rows,
        batch.matches[np.repeat(is_best, batch.lengths)],
        batch.lengths[rows],
    )


def _evidence(
    sequences: Sequence[PhotoSequence],
    submission: StorySubmission,
    options: VistOptions,
    scored: StoryScores,
) -> tuple[EvidenceColumns, EvidenceColumns]:
    """Return the evidence columns of the human stories (shared) and of the system."""
    stories = [story for sequence in sequences for story in sequence.stories]
    counts = np.diff(scored.starts)
    photos = [photo for sequence in sequences for photo in sequence.photos]
    human = {
        "album": EvidenceColumn.texts([sequence.album for sequence in sequences]),
        "photos": EvidenceColumn.texts(
            photos, list_lengths([sequence.photos for sequence in sequences])
        ),
        "ids": EvidenceColumn.texts([story.story_id for story in stories], counts),
        "stories": EvidenceColumn.texts([story.text for story in stories], counts),
    }
    system = {
        "profile": EvidenceColumn.texts([options.profile] * len(sequences)),
        "text": EvidenceColumn.texts(
            [submission.stories[sequence.photos] for sequence in sequences]
        ),
        "scores": EvidenceColumn(scored.scores, counts),
        "best": EvidenceColumn(scored.best_stories()),
        "counts": EvidenceColumn(scored.counts.astype(np.int64)),
        "matches": EvidenceColumn(scored.matches, scored.lengths),
    }
    return EvidenceColumns(human), EvidenceColumns(system)
