"""Evidence for one photo sequence: the submitted story and all human stories."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from jurydesk.core.metrics.meteor import LanguageDataMissing, profile, shared_meteor
from jurydesk.core.metrics.meteor.alignment.alignment import Alignment
from jurydesk.core.metrics.meteor.scorer import recall_alignment
from jurydesk.core.model.evaluation import Json, ResourceMissing
from jurydesk.core.model.evidence_columns import EvidenceRow
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

    def align(self, number: int, run: Run | None = None) -> Alignment:
        """Return the alignment with a human story: stored for the best, else computed.

        `run` can cancel building METEOR's index.

        Raises:
            ResourceMissing: METEOR's language data are not installed.
        """
        if number == self.best:
            return self.alignment
        return align_stories(self.text, self.stories[number].text, VistOptions(self.profile), run)

    def to_json(self) -> Json:
        """Return the evidence as JSON values; `from_json` reads it back."""
        return {
            "album": self.album,
            "photos": list(self.photos),
            "text": self.text,
            "profile": self.profile,
            "stories": [[story.story_id, story.text, story.score] for story in self.stories],
            "best": self.best,
            "alignment": self.alignment.to_json(),
        }

    @classmethod
    def load(cls, kept: Json) -> StoryEvidence:
        """Return the evidence of a desk: of columns, or of JSON where the desk is older."""
        return cls.from_row(kept) if isinstance(kept, EvidenceRow) else cls.from_json(kept)

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
        )

    @classmethod
    def from_json(cls, data: Json) -> StoryEvidence:
        """Load the evidence that `to_json` wrote."""
        return cls(
            data["album"],
            tuple(data["photos"]),
            data["text"],
            data["profile"],
            tuple(ScoredStory(*story) for story in data["stories"]),
            data["best"],
            Alignment.from_json(data["alignment"]),
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
