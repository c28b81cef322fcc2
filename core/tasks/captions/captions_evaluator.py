"""Evaluator of image captioning: BLEU, METEOR, ROUGE-L, CIDEr-D, and scores by networks."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from jurydesk.core.execution.run import Run
from jurydesk.core.language import counted, fill, name_list
from jurydesk.core.metrics.captioning.bleu import STATISTICS as BLEU_STATISTICS
from jurydesk.core.metrics.captioning.bleu import Bleu, bleu_from_overlap
from jurydesk.core.metrics.captioning.caption_overlap import ReferenceOverlap, count_overlap
from jurydesk.core.metrics.captioning.cider import cider_d_by_reference, cider_d_from_overlap
from jurydesk.core.metrics.captioning.rouge_l import RougeL, rouge_l
from jurydesk.core.metrics.meteor import Batch, corpus_score, profile, score_many
from jurydesk.core.metrics.ptb_tokenizer import deleted_characters, tokenize_captions
from jurydesk.core.model.defects import Defect, Place, note, warning
from jurydesk.core.model.evaluation import Evaluation, FloatArray, ItemTable, Score
from jurydesk.core.model.evidence_columns import (
    ColumnEvidence,
    EvidenceColumn,
    EvidenceColumns,
    list_lengths,
)
from jurydesk.core.tasks.captions.caption_networks import (
    NetworkScores,
    network_resources,
    network_scores,
    network_settings,
)
from jurydesk.core.tasks.captions.captions import (
    CaptionReferences,
    CaptionSubmission,
    Image,
    item_ids,
)
from jurydesk.core.tasks.captions.captions_evidence import FREQUENCIES, CaptionEvidence
from jurydesk.core.tasks.captions.captions_metrics import (
    BERTSCORE,
    BLEU,
    CLIP_METRICS,
    METEOR_PROFILE,
    METEOR_STATISTICS,
)
from jurydesk.core.tasks.captions.captions_options import RESULTS, CaptionOptions
from jurydesk.core.tasks.item_fields import fields_column
from jurydesk.core.tasks.meteor_resources import language_data, meteor_resources

_LETTER = re.compile("[A-Za-z0-9]")
_BRACKET = re.compile("-[LR][RCS]B-")  # tokens that stand for brackets, which are left out


@dataclass(frozen=True, slots=True, eq=False)
class CaptionScores:
    """Scores and counts of a submission; reference rows are grouped by image."""

    images: Sequence[Image]
    texts: Sequence[str]
    words: Sequence[str]
    reference_words: Sequence[Sequence[str]]
    overlap: ReferenceOverlap
    bleu: Bleu
    meteor: Batch
    rouge: RougeL
    cider: FloatArray
    reference_cider: FloatArray
    options: CaptionOptions
    networks: NetworkScores

    def evidence(self) -> tuple[EvidenceColumns, EvidenceColumns, EvidenceColumns]:
        """Return the evidence columns: references and their CIDEr norms (shared), system."""
        overlap, images = self.overlap, len(self.images)
        counts = list_lengths(self.reference_words)
        references = {
            "image": EvidenceColumn.texts(item_ids(image.id for image in self.images)),
            "file_name": EvidenceColumn.texts([image.file_name for image in self.images]),
            "references": EvidenceColumn.texts(
                [text for image in self.images for text in image.references], counts
            ),
            "reference_words": EvidenceColumn.texts(
                [words for entry in self.reference_words for words in entry], counts
            ),
        }
        references |= fields_column([image.fields for image in self.images])
        deciding_references = [
            self.bleu.reference,
            self.meteor.references,
            self.rouge.precision_reference,
            self.rouge.recall_reference,
        ]
        system = {
            "profile": EvidenceColumn.texts([self.options.profile] * images),
            "text": EvidenceColumn.texts(self.texts),
            "words": EvidenceColumn.texts(self.words),
            "cider": EvidenceColumn(self.reference_cider, counts),
            "decided": EvidenceColumn(
                np.column_stack(deciding_references).astype(np.int64).reshape(-1, 4)
            ),
            "norms": EvidenceColumn(overlap.norms),
            "images": EvidenceColumn(np.full(images, images)),
        }
        for n, frequencies in enumerate(overlap.frequencies):
            system[FREQUENCIES[n]] = EvidenceColumn(frequencies, np.maximum(overlap.words - n, 0))
        norms = {"reference_norms": EvidenceColumn(overlap.reference_norms, counts)}
        return EvidenceColumns(references), EvidenceColumns(norms), EvidenceColumns(system)


def evaluate(
    references: CaptionReferences, submission: CaptionSubmission, options: CaptionOptions, run: Run
) -> Evaluation:
    """Score a submission and each of its captions.

    Raises:
        ResourceMissing: METEOR's language data are not installed.
    """
    scored = _score_captions(references, submission, options, run)
    items = _items(scored, submission)
    return Evaluation(
        "captions",
        "",
        options.profile,
        tuple(_scores(scored, items)),
        items,
        defects=(
            *scoring_remarks(references, submission, options, run),
            *scored.networks.defects,
        ),
    )


def settings(references: CaptionReferences, options: CaptionOptions) -> dict[str, str]:
    """Return the scoring settings for the short stamp."""
    plain = {"tokenizer": "ptb-3.4.1", "meteor": "1.5", "norm": "norm", "images": options.images}
    return plain | network_settings(references, options)


def resources(references: CaptionReferences, options: CaptionOptions) -> dict[str, str]:
    """Return the SHA-256 of every file of METEOR's language data and of the models."""
    return meteor_resources() | network_resources(references, options)


def _score_captions(
    references: CaptionReferences, submission: CaptionSubmission, options: CaptionOptions, run: Run
) -> CaptionScores:
    images = _scored_images(references, submission, options)
    texts = [submission.captions[image.id] for image in images]
    run.report(0, 0, "tokenizing captions")
    reference_words = references.words(images, corrected=options.corrected, check=run.check)
    words = tokenize_captions(texts, corrected=options.corrected, check=run.check)
    with language_data():
        meteor = score_many(list(zip(words, reference_words, strict=True)), METEOR_PROFILE, run)
    run.report(0, 0, "counting shared n-grams")
    overlap = count_overlap(words, reference_words, run.check)
    cider = cider_d_from_overlap(overlap, by_words=options.corrected)
    if not overlap.reference_words.any():
        cider = np.full(len(images), np.nan)
    return CaptionScores(
        images,
        texts,
        words,
        reference_words,
        overlap,
        bleu_from_overlap(overlap),
        meteor,
        rouge_l(words, reference_words, one_reference=options.corrected, check=run.check),
        cider,
        cider_d_by_reference(overlap, by_words=options.corrected),
        options,
        network_scores(references, images, texts, options, submission.path, run),
    )


def _items(scored: CaptionScores, submission: CaptionSubmission) -> ItemTable:
    columns = {name: scored.bleu.scores[:, n] for n, name in enumerate(BLEU)}
    columns |= {
        "meteor": scored.meteor.scores,
        "rouge_l": scored.rouge.scores,
        "cider": scored.cider,
    }
    columns |= scored.networks.columns
    references = np.bincount(scored.overlap.owner, minlength=len(scored.images))
    columns["references"] = references.astype(np.float64)
    columns |= {name: scored.bleu.rows[:, n] for n, name in enumerate(BLEU_STATISTICS)}
    columns["best_reference"] = scored.meteor.references.astype(np.float64)
    columns |= {name: scored.meteor.rows[:, n] for n, name in enumerate(METEOR_STATISTICS)}
    ids = item_ids(image.id for image in scored.images)
    evidence = ColumnEvidence(scored.evidence, CaptionEvidence.from_row)
    return ItemTable(ids, columns, evidence, "image")


def _scores(scored: CaptionScores, items: ItemTable) -> Iterator[Score]:
    count = len(items)
    for name, value in zip(BLEU, scored.bleu.corpus.tolist(), strict=True):
        yield Score(name, value, count)
    weights = profile(METEOR_PROFILE).weights
    yield Score("meteor", corpus_score(scored.meteor.rows, weights), count)
    for name in ("rouge_l", "cider", *CLIP_METRICS, *BERTSCORE):
        if name in items.columns:
            values = items.columns[name][~np.isnan(items.columns[name])]
            if len(values):
                yield Score(name, float(np.mean(values)), len(values), float(np.std(values)))
            else:
                yield Score(name, math.nan, 0)


def scoring_remarks(
    references: CaptionReferences, submission: CaptionSubmission, options: CaptionOptions, run: Run
) -> Iterator[Defect]:
    """Yield what scoring reports of a submission; METEOR's language data are not needed."""
    place = Place(submission.path)
    images = _scored_images(references, submission, options)
    texts = [submission.captions[image.id] for image in images]
    yield from _cider_remarks(references, images, options, run)
    odd = [number for number, text in enumerate(texts) if not _has_word(text)]
    words = tokenize_captions(
        [texts[number] for number in odd], corrected=options.corrected, check=run.check
    )
    empty = [images[number].id for number, one in zip(odd, words, strict=True) if not one]
    if empty:
        found = fill(
            "{captions} without words: {name_list}.",
            counted(len(empty), "caption"),
            name_list([*map(str, empty)]),
        )
        score = "It scores 0 or nearly 0." if len(empty) == 1 else "They score 0 or nearly 0."
        yield note(place, found, score, count=len(empty))
    deleted = sum(map(deleted_characters, texts))
    if deleted:
        found = fill(
            "The tokenizer deletes {characters}, such as emoji.", counted(deleted, "character")
        )
        yield note(place, found, "They count as spaces.", count=deleted)
    if options.images == RESULTS:
        found = fill("Images scored (those of the results only): {images:,}.", len(images))
        yield note(place, found, "CIDEr depends on them through its document frequencies.")


def _scored_images(
    references: CaptionReferences, submission: CaptionSubmission, options: CaptionOptions
) -> list[Image]:
    return [
        image
        for image in references.images
        if image.references and (options.images != RESULTS or image.id in submission.captions)
    ]


def _cider_remarks(
    references: CaptionReferences,
    images: Sequence[Image],
    options: CaptionOptions,
    run: Run,
) -> Iterator[Defect]:
    """Yield why CIDEr is undefined or 0 for every caption."""
    place = Place(references.named_by)
    if len(images) == 1:
        found = "With one image, CIDEr is 0 by definition: it weighs words by log(1/1) = 0."
        yield note(place, found, "Compare the other metrics, or score more images.")
    texts = [text for image in images for text in image.references]
    if any(map(_has_word, texts)):
        return
    if not any(tokenize_captions(texts, corrected=options.corrected, check=run.check)):
        yield warning(
            place,
            "CIDEr is undefined: the references contain no words.",
            "References with words are expected.",
        )


def _has_word(text: str) -> bool:
    """Return whether a text surely has a word that the tokenizer keeps."""
    return bool(_LETTER.search(text)) and not _BRACKET.search(text)
