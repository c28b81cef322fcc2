"""Evidence for one photo sequence: the submitted story and all human stories."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from jurydesk.core.metrics.meteor import LanguageDataMissing, profile, shared_meteor
from jurydesk.core.metrics.meteor.alignment.alignment import Alignment
from jurydesk.core.metrics.meteor.scorer import recall_alignment
from jurydesk.core.model.evaluation import ResourceMissing
from jurydesk.core.model.evidence_columns import EvidenceRow
from jurydesk.core.tasks.item_fields import fields_of_row
from jurydesk.core.tasks.vist.stories import SequenceKey
from jurydesk.core.tasks.vist.vist_options import VistOptions

if TYPE_CHECKING:
    from jurydesk.core.execution.run import Run

METEOR_PROFILE = "vist"


@dataclass(frozen=True, slots=True)
class ScoredStory:
    """A human story with METEOR of the submitted story against it."""

    story_id: str
    text: str
    score: float


@dataclass(frozen=True, slots=True)
class StoryEvidence:
    """Evidence for one sequence; it is displayed without METEOR's language data.

    `best` is the index of the first human story with the highest score, `alignment` that of the
    submitted story with it, in the text of the profile.
    """

    album: str
    photos: SequenceKey
    text: str
    profile: str
    stories: tuple[ScoredStory, ...]
    best: int
    alignment: Alignment
    fields: Mapping[str, str] = field(default_factory=dict)

    def align(self, number: int, run: Run | None = None) -> Alignment:
        """Return the alignment with a human story: stored for the best, else computed.

        `run` can cancel building METEOR's index.

        Raises:
            ResourceMissing: METEOR's language data are not installed.
        """
        if number == self.best:
            return self.alignment
        return align_stories(self.text, self.stories[number].text, VistOptions(self.profile), run)

    @classmethod
    def from_row(cls, row: EvidenceRow) -> StoryEvidence:
        """Load the evidence of a sequence from evidence columns, without aligning."""
        best, options = row["best"], VistOptions(row["profile"])
        stories = zip(row["ids"], row["stories"], row["scores"], strict=True)
        return cls(
            row["album"],
            tuple(row["photos"]),
            row["text"],
            row["profile"],
            tuple(ScoredStory(*story) for story in stories),
            best,
            recall_alignment(
                options.scored_text(row["text"]),
                options.scored_text(row["stories"][best]),
                row["matches"],
                row["counts"],
                profile(METEOR_PROFILE),
            ),
            fields_of_row(row),
        )


def align_stories(
    story: str, human: str, options: VistOptions, run: Run | None = None
) -> Alignment:
    """Align the scored texts of a submitted and a human story by METEOR.

    Raises:
        ResourceMissing: METEOR's language data are not installed.
    """
    try:
        return shared_meteor(run).align(
            options.scored_text(story), options.scored_text(human), profile(METEOR_PROFILE)
        )
    except LanguageDataMissing as missing:
        raise ResourceMissing(str(missing)) from missing
