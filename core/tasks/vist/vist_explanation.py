"""Explanations of stories and of differences between the profiles."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from jurydesk.core.model.defects import counted
from jurydesk.core.model.evaluation import ItemTable, Passage, ScoredItem, SubmissionText
from jurydesk.core.tasks.vist.stories import StoryReferences, StorySubmission, sequence_id
from jurydesk.core.tasks.vist.vist_evidence import StoryEvidence


def attributes(items: ItemTable) -> Mapping[str, Callable[[], Sequence[str]]]:
    """Return the album that the photos of a sequence are of."""

    def albums() -> Sequence[str]:
        shown = (items.show(row) for row in range(len(items)))
        return [one.album if isinstance(one, StoryEvidence) else "" for one in shown]

    return {"album": albums}


def explain_item(evidence: StoryEvidence) -> Sequence[Passage]:
    """Return the human stories, then the submitted one with the story that it is nearest to."""
    human = [
        Passage(f"Human story {number}", story.text, shared=True)
        for number, story in enumerate(evidence.stories, start=1)
    ]
    against = " · ".join(f"{story.score:.4f}" for story in evidence.stories)
    note = f"Nearest to human story {evidence.best + 1}. METEOR against each: {against}."
    return (*human, Passage("Story", evidence.text, note if evidence.stories else ""))


def explain_difference(one: ScoredItem, other: ScoredItem) -> Sequence[str]:
    """Return the characters that are scored when published and left out when corrected."""
    evidence = one.evidence or other.evidence
    if evidence is None:
        return ()
    found = [
        _beyond("the story", [evidence.text]),
        _beyond("the human stories", [story.text for story in evidence.stories]),
    ]
    return [sentence for sentence in found if sentence]


def _beyond(where: str, texts: Iterable[str]) -> str:
    letters = [letter for text in texts for letter in text if not letter.isascii()]
    if not letters:
        return ""
    shown = " ".join(dict.fromkeys(letters[:12]))
    return (
        f"{counted(len(letters), 'character')} of {where} outside ASCII ({shown}): scored when "
        "published, left out when corrected."
    )


def submission_texts(
    references: StoryReferences, submission: StorySubmission
) -> Iterator[SubmissionText]:
    """Yield the story of every sequence that counts."""
    for sequence in references.scored:
        text = submission.stories.get(sequence.photos, "")
        human = tuple(story.text for story in sequence.stories)
        yield SubmissionText(sequence_id(sequence.photos), text, human)
