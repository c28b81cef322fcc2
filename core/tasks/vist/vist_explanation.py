"""Explanations of stories and of differences between the profiles."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from jurydesk.core.competition.task import ItemListEntry
from jurydesk.core.language import counted, fill, join_messages, translatable
from jurydesk.core.model.evaluation import ItemTable, Passage, ScoredItem, SubmissionText
from jurydesk.core.tasks.item_fields import field_attributes
from jurydesk.core.tasks.vist.stories import StoryReferences, StorySubmission
from jurydesk.core.tasks.vist.vist_evidence import StoryEvidence


def attributes(items: ItemTable) -> Mapping[str, Callable[[], Sequence[str]]]:
    """Return the item attribute `album`, and the other members of the albums, on demand."""

    def shown() -> Iterator[StoryEvidence | None]:
        for row in range(len(items)):
            evidence = items.show(row)
            yield evidence if isinstance(evidence, StoryEvidence) else None

    def albums() -> Sequence[str]:
        return [one.album if one else "" for one in shown()]

    return field_attributes(shown) | {"album": albums}


def list_story(evidence: StoryEvidence) -> ItemListEntry:
    """Return a story and its first photo for the item list."""
    return ItemListEntry(evidence.text, evidence.photos[0] if evidence.photos else "")


def explain_item(evidence: StoryEvidence) -> Sequence[Passage]:
    """Return the human stories, and the submitted story with its METEOR scores."""
    human = [
        Passage(fill("Human story {number}", number), story.text, shared=True)
        for number, story in enumerate(evidence.stories, start=1)
    ]
    scores = " · ".join(f"{story.score:.4f}" for story in evidence.stories)
    note = join_messages(
        [
            fill("Best human story: {value}.", evidence.best + 1),
            fill("METEOR against each: {scores}.", scores),
        ]
    )
    return (*human, Passage("Story", evidence.text, note if evidence.stories else ""))


def explain_difference(one: ScoredItem, other: ScoredItem) -> Sequence[str]:
    """Explain the difference by the non-ASCII characters, which only one profile scores."""
    evidence = one.evidence or other.evidence
    if evidence is None:
        return ()
    sentences = [
        _explain_non_ascii(translatable("the story"), [evidence.text]),
        _explain_non_ascii(
            translatable("the human stories"), [story.text for story in evidence.stories]
        ),
    ]
    return [sentence for sentence in sentences if sentence]


def _explain_non_ascii(source: str, texts: Iterable[str]) -> str:
    letters = [letter for text in texts for letter in text if not letter.isascii()]
    if not letters:
        return ""
    examples = " ".join(dict.fromkeys(letters[:12]))
    return fill(
        "{characters} of {source} outside ASCII ({examples}): scored in the published "
        "profile, left out in the corrected profile.",
        counted(len(letters), "character"),
        source,
        examples,
    )


def submission_texts(
    references: StoryReferences, submission: StorySubmission
) -> Iterator[SubmissionText]:
    """Yield the story of every scored sequence with the human stories."""
    for item, sequence in zip(references.ids, references.scored, strict=True):
        text = submission.stories.get(sequence.photos, "")
        human = tuple(story.text for story in sequence.stories)
        yield SubmissionText(item, text, human)
