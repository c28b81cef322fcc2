"""Explanations of captioning items and of differences between the profiles."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from jurydesk.core.language import fill, join_messages, translatable
from jurydesk.core.metrics.ptb_tokenizer import line_separators
from jurydesk.core.model.evaluation import ItemTable, Passage, ScoredItem, SubmissionText
from jurydesk.core.tasks.captions.captions import CaptionReferences, CaptionSubmission, item_ids
from jurydesk.core.tasks.captions.captions_evidence import CaptionEvidence
from jurydesk.core.tasks.item_fields import field_attributes

BRACKETS = ("-lrb-", "-rrb-", "-lcb-", "-rcb-", "-lsb-", "-rsb-")


def attributes(items: ItemTable) -> Mapping[str, Callable[[], Sequence[str]]]:
    """Return the item attribute `file`, and the other members of the images, on demand."""

    def shown() -> Iterator[CaptionEvidence | None]:
        for row in range(len(items)):
            evidence = items.show(row)
            yield evidence if isinstance(evidence, CaptionEvidence) else None

    def files() -> Sequence[str]:
        return [one.file_name if one else "" for one in shown()]

    return field_attributes(shown) | {"file": files}


def explain_item(evidence: CaptionEvidence) -> Sequence[Passage]:
    """Return the references, and the caption with the references that decided its scores."""
    references = [
        Passage(fill("Reference {number}", number), one.text, shared=True)
        for number, one in enumerate(evidence.references, start=1)
    ]
    ngrams = join_messages(
        [
            fill("{text} ({images:,} of {images2:,} images)", one.text, one.images, evidence.images)
            for one in evidence.top_ngrams(4)
        ],
        "; ",
    )
    notes = [
        fill(
            "Deciding references: {value} for BLEU's length, {value2} for METEOR, {value3} "
            "for ROUGE-L's precision and {value4} for its recall.",
            evidence.bleu + 1,
            evidence.meteor + 1,
            evidence.rouge_precision + 1,
            evidence.rouge_recall + 1,
        )
    ]
    if ngrams:
        notes.append(fill("N-grams with the largest shares of CIDEr: {ngrams}.", ngrams))
    pictures = (evidence.file_name,) if evidence.file_name else ()
    return (*references, Passage("Caption", evidence.text, join_messages(notes), pictures=pictures))


def explain_difference(one: ScoredItem, other: ScoredItem) -> Sequence[str]:
    """Explain why an image's scores differ between the published and the corrected profile."""
    published, corrected = one.evidence, other.evidence
    if not isinstance(published, CaptionEvidence) or not isinstance(corrected, CaptionEvidence):
        return ()
    return list(_differences(published, corrected))


def _differences(published: CaptionEvidence, corrected: CaptionEvidence) -> Iterator[str]:
    pairs = [(translatable("the caption"), published.text, published.words, corrected.words)]
    references = zip(published.references, corrected.references, strict=True)
    for number, (one, other) in enumerate(references, start=1):
        pairs.append((fill("reference {number}", number), one.text, one.words, other.words))
    for owner, text, before, after in pairs:
        if before != after:
            yield _explain_words(owner, text, before, after)
    if published.rouge_precision != published.rouge_recall:
        yield (
            fill(
                "ROUGE-L takes its precision from reference {value} and its recall from "
                "reference {value2} in the published profile, both from one reference in the "
                "corrected profile.",
                published.rouge_precision + 1,
                published.rouge_recall + 1,
            )
        )
    if not published.words and any(not reference.words for reference in published.references):
        yield (
            "ROUGE-L of an empty caption against an empty reference is 1 in the published profile, "
            "0 in the corrected profile."
        )
    length = len(published.words.split())
    lengths = [len(reference.words.split()) for reference in published.references]
    if (length == 0) != (min(lengths) == 0) or (length == 0 and max(lengths) > 0):
        yield (
            "CIDEr compares lengths in bigrams in the published profile, in words in the corrected "
            "profile."
        )
    yield "CIDEr's weights depend on the words of all references, also those of other images."


def _explain_words(owner: str, text: str, before: str, after: str) -> str:
    tokens = f'"{before}" (published), "{after}" (corrected)'
    if line_separators(text):
        return fill("A line separator shifts {owner}: {tokens}.", owner, tokens)
    if any(bracket in before.split(" ") for bracket in BRACKETS):
        return fill(
            "Only the published profile counts brackets as words of {owner}: {tokens}.",
            owner,
            tokens,
        )
    if "\xa0" in before:
        return fill(
            "A word of {owner} contains a no-break space; only some metrics split it: {tokens}.",
            owner,
            tokens,
        )
    return fill(
        "The published words of {owner} depend on adjacent captions: {tokens}.", owner, tokens
    )


def submission_texts(
    references: CaptionReferences, submission: CaptionSubmission
) -> Iterator[SubmissionText]:
    """Yield the captions with the references of their images."""
    images = references.images
    for image, item in zip(images, item_ids(image.id for image in images), strict=True):
        if image.id in submission.captions:
            yield SubmissionText(item, submission.captions[image.id], image.references)
