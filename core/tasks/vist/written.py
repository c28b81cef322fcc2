"""The stories of a submission beside the human ones."""

from __future__ import annotations

from collections.abc import Iterator

from core.model import Written
from core.tasks.vist.stories import References, Submission, sequence_id


def written(references: References, submission: Submission) -> Iterator[Written]:
    """The story of every sequence that counts."""
    for sequence in references.scored:
        text = submission.stories.get(sequence.photos, "")
        human = tuple(story.text for story in sequence.stories)
        yield Written(sequence_id(sequence.photos), text, human)
