"""Explanations of captioning items and of differences between the profiles."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from jurydesk.core.metrics.ptb_tokenizer import line_separators
from jurydesk.core.model.evaluation import ItemTable, Passage, ScoredItem, SubmissionText
from jurydesk.core.tasks.captions.captions import CaptionReferences, CaptionSubmission, item_ids
from jurydesk.core.tasks.captions.captions_evidence import CaptionEvidence

BRACKETS = ("-lrb-", "-rrb-", "-lcb-", "-rcb-", "-lsb-", "-rsb-")


def attributes(items: ItemTable) -> Mapping[str, Callable[[], Sequence[str]]]:
    """Return the file of each image, made when asked for."""

    def files() -> Sequence[str]:
        shown = (items.show(row) for row in range(len(items)))
        return [one.file_name if isinstance(one, CaptionEvidence) else "" for one in shown]

    return {"file": files}


def explain_item(evidence: CaptionEvidence) -> Sequence[Passage]:
    """Return the references, then the caption with what decided its scores."""
    human = [
        Passage(f"Reference {number}", one.text, shared=True)
        for number, one in enumerate(evidence.references, start=1)
    ]
    strongest = "; ".join(
        f"{gram.text} ({gram.images:,} of {evidence.images:,} images)"
        for gram in evidence.strongest(4)
    )
    note = (
        f"Reference {evidence.bleu + 1} gives BLEU its length, {evidence.meteor + 1} the best "
        f"METEOR, {evidence.rouge_precision + 1} the precision and {evidence.rouge_recall + 1} "
        "the recall of ROUGE-L."
    )
    if strongest:
        note += f" Strongest n-grams of CIDEr: {strongest}."
    pictures = (evidence.file_name,) if evidence.file_name else ()
    return (*human, Passage("Caption", evidence.text, note, pictures=pictures))


def explain_difference(one: ScoredItem, other: ScoredItem) -> Sequence[str]:
    """Return why the published and the corrected profile give an image other numbers."""
    published, corrected = one.evidence, other.evidence
    if not isinstance(published, CaptionEvidence) or not isinstance(corrected, CaptionEvidence):
        return ()
    return list(_differences(published, corrected))


def _differences(published: CaptionEvidence, corrected: CaptionEvidence) -> Iterator[str]:
    pairs = [("the caption", published.text, published.words, corrected.words)]
    for number, (before, after) in enumerate(
        zip(published.references, corrected.references, strict=True), start=1
    ):
        pairs.append((f"reference {number}", before.text, before.words, after.words))
    for whose, text, words, repaired in pairs:
        if words != repaired:
            yield _words_differ(whose, text, words, repaired)
    if published.rouge_precision != published.rouge_recall:
        yield (
            f"ROUGE-L takes its precision from reference {published.rouge_precision + 1} and its "
            f"recall from reference {published.rouge_recall + 1} when published, both from one "
            "when corrected."
        )
    if not published.words and any(not one.words for one in published.references):
        yield "ROUGE-L of no words against no words is 1 when published, 0 when corrected."
    own = len(published.words.split())
    lengths = [len(one.words.split()) for one in published.references]
    if (own == 0) != (min(lengths) == 0) or (own == 0 and max(lengths) > 0):
        yield "CIDEr compares lengths in bigrams when published, in words when corrected."
    yield "CIDEr's weights depend on all references, whose words may differ elsewhere."


def _words_differ(whose: str, text: str, before: str, after: str) -> str:
    shown = f'"{before}" when published, "{after}" when corrected'
    if line_separators(text):
        return f"A line separator shifts {whose}: {shown}."
    if any(bracket in before.split(" ") for bracket in BRACKETS):
        return f"Brackets are words of {whose} only when published: {shown}."
    if "\xa0" in before:
        return f"A word of {whose} holds a no-break space, which only some metrics part: {shown}."
    return f"The words of {whose} depend on the captions around it when published: {shown}."


def submission_texts(
    references: CaptionReferences, submission: CaptionSubmission
) -> Iterator[SubmissionText]:
    """Yield the caption of every image beside its references."""
    for image, name in zip(
        references.images, item_ids(one.id for one in references.images), strict=True
    ):
        if image.id in submission.captions:
            yield SubmissionText(name, submission.captions[image.id], image.references)
