"""Evaluator of visual storytelling: METEOR against the best human story of each sequence."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from functools import partial

import numpy as np

from jurydesk.core.competition.task import GROUP
from jurydesk.core.execution.run import Run
from jurydesk.core.language import counted, fill, join_messages, translatable
from jurydesk.core.metrics.meteor import profile, score_many
from jurydesk.core.metrics.meteor.batch import Batch, Pair
from jurydesk.core.metrics.meteor.config import MODULES
from jurydesk.core.model.defects import Defect, Place, warning
from jurydesk.core.model.evaluation import (
    Evaluation,
    FloatArray,
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
from jurydesk.core.tasks.item_fields import fields_column
from jurydesk.core.tasks.meteor_resources import language_data, meteor_resources
from jurydesk.core.tasks.vist.stories import (
    PhotoSequence,
    StoryReferences,
    StorySubmission,
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


RARE, FREQUENT = 0.05, 0.2
"""Shares of human and of submitted stories: stories are reported if only those have something."""


def evaluate(
    references: StoryReferences, submission: StorySubmission, options: VistOptions, run: Run
) -> Evaluation:
    """Score a submission and each of its stories.

    Raises:
        ResourceMissing: METEOR's language data are not installed.
    """
    sequences = references.scored
    with language_data():
        batch = score_many(
            [_pair(sequence, submission, options) for sequence in sequences],
            METEOR_PROFILE,
            run,
            matches=True,
        )
    columns = {name: batch.rows[:, i] for i, name in enumerate(STATISTICS)}
    items = ItemTable(
        ids=references.ids,
        columns={
            METEOR.name: batch.scores,
            "human_stories": np.array([len(entry.stories) for entry in sequences], np.float64),
            GROUP: _albums(sequences),
            "best_story": batch.references.astype(np.float64),
            **columns,
        },
        evidence=ColumnEvidence(
            partial(_evidence, sequences, submission, options, batch), StoryEvidence.from_row
        ),
        noun="sequence",
    )
    mean = math.fsum(batch.scores) / len(batch)
    score = Score(METEOR.name, mean, len(batch), float(np.std(batch.scores)))
    defects = tuple(scoring_remarks(references, submission, options, run))
    return Evaluation("vist", submission.system, options.profile, (score,), items, defects=defects)


UNUSUAL = {
    translatable("capital letters"): re.compile(r"[A-Z]"),
    translatable("glued punctuation"): re.compile(r"[\w\]][.,!?;:](?!\S)"),
}
"""What normalized stories do not have; they part punctuation by a blank."""


def scoring_remarks(
    references: StoryReferences, submission: StorySubmission, options: VistOptions, run: Run
) -> Iterator[Defect]:
    """Yield a warning for stories that are not normalized as the human ones are."""
    human = [story.text for entry in references.scored for story in entry.stories]
    stories = [submission.stories[entry.photos] for entry in references.scored]
    odd = {
        phrase: pattern
        for phrase, pattern in UNUSUAL.items()
        if _count(human, [pattern]) <= RARE * len(human) and _count(stories, [pattern])
    }
    count = _count(stories, list(odd.values()))
    if count > FREQUENT * len(stories):
        found = fill(
            "{count:,} of {stories} have {phrases}, unlike the human ones.",
            count,
            counted(len(stories), "story", "stories"),
            join_messages(odd, ", "),
        )
        expected = "EvalVIST compares words exactly, in normalized text."
        hint = "Write small letters, with blanks around punctuation."
        yield warning(Place(submission.path), found, expected, hint, count=count)


def _count(texts: Sequence[str], patterns: Sequence[re.Pattern[str]]) -> int:
    """Return the number of texts in which a pattern is found."""
    return sum(any(pattern.search(text) for pattern in patterns) for text in texts)


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


def _pair(sequence: PhotoSequence, submission: StorySubmission, options: VistOptions) -> Pair:
    """Return the story of a sequence and its human stories."""
    story = options.scored_text(submission.stories[sequence.photos])
    return story, [options.scored_text(human.text) for human in sequence.stories]


def _evidence(
    sequences: Sequence[PhotoSequence],
    submission: StorySubmission,
    options: VistOptions,
    batch: Batch,
) -> tuple[EvidenceColumns, EvidenceColumns]:
    """Return the evidence columns of the human stories (shared) and of the system."""
    stories = [story for sequence in sequences for story in sequence.stories]
    counts = list_lengths([sequence.stories for sequence in sequences])
    photos = [photo for sequence in sequences for photo in sequence.photos]
    human = {
        "album": EvidenceColumn.texts([sequence.album for sequence in sequences]),
        "photos": EvidenceColumn.texts(
            photos, list_lengths([sequence.photos for sequence in sequences])
        ),
        "ids": EvidenceColumn.texts([story.story_id for story in stories], counts),
        "stories": EvidenceColumn.texts([story.text for story in stories], counts),
    }
    human |= fields_column([sequence.fields for sequence in sequences])
    system = {
        "profile": EvidenceColumn.texts([options.profile] * len(sequences)),
        "text": EvidenceColumn.texts(
            [submission.stories[sequence.photos] for sequence in sequences]
        ),
        "scores": EvidenceColumn(batch.pair_scores, counts),
        "best": EvidenceColumn(batch.references),
        "counts": EvidenceColumn(batch.rows.astype(np.int64)),
        "matches": EvidenceColumn(batch.matches, batch.lengths),
    }
    return EvidenceColumns(human), EvidenceColumns(system)
