"""Evidence for one image: caption, references, and the counts behind its scores."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import exp, log

from jurydesk.core.metrics.captioning.ngrams import MAX_N
from jurydesk.core.model.evidence_columns import EvidenceRow
from jurydesk.core.tasks.item_fields import fields_of_row

FREQUENCIES = tuple(f"frequencies_{n}" for n in range(1, MAX_N + 1))
"""Columns of document frequencies by n."""


@dataclass(frozen=True, slots=True)
class ReferenceEvidence:
    """A reference, its tokens, the CIDEr against it alone, and its CIDEr norms by n."""

    text: str
    words: str
    cider: float
    norms: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class NGram:
    """An n-gram shared with references: document frequency in images, share of the CIDEr."""

    text: str
    images: int
    share: float


@dataclass(frozen=True, slots=True)
class CaptionEvidence:
    """Evidence for one image of one submission.

    Attributes:
        bleu, meteor, rouge_precision, rouge_recall: 0-based index of the reference that decided
            the metric.
        frequencies: Document frequencies among `images`, by n and by position in the caption.
        fields: Other members of the image in the annotations.
    """

    image: str
    file_name: str
    profile: str
    text: str
    words: str
    references: tuple[ReferenceEvidence, ...]
    bleu: int
    meteor: int
    rouge_precision: int
    rouge_recall: int
    norms: tuple[float, ...]
    frequencies: tuple[tuple[int, ...], ...]
    images: int
    fields: Mapping[str, str] = field(default_factory=dict)

    @property
    def cider(self) -> int:
        """0-based index of the reference with the largest share of the image's CIDEr."""
        return max(range(len(self.references)), key=lambda index: self.references[index].cider)

    def top_ngrams(self, limit: int = 8) -> tuple[NGram, ...]:
        """Return the n-grams with the largest shares of CIDEr, in descending order."""
        shared: dict[str, NGram] = {}
        words = self.words.split()
        for n in range(1, MAX_N + 1):
            grams = [" ".join(words[start : start + n]) for start in range(len(words) - n + 1)]
            for gram, images in zip(grams, self.frequencies[n - 1], strict=True):
                if gram in shared or not images:
                    continue
                weight = log(self.images) - log(images)
                share = sum(
                    self._share(gram, n, grams.count(gram), weight, reference)
                    for reference in self.references
                )
                shared[gram] = NGram(gram, images, share / len(self.references))
        ranked = sorted(shared.values(), key=lambda ngram: -ngram.share)
        return tuple(ngram for ngram in ranked[:limit] if ngram.share > 0)

    def _share(
        self, gram: str, n: int, count: int, weight: float, reference: ReferenceEvidence
    ) -> float:
        """Return an n-gram's share of the CIDEr against one reference."""
        words = reference.words.split()
        matches = sum(" ".join(words[i : i + n]) == gram for i in range(len(words) - n + 1))
        norm = self.norms[n - 1] * reference.norms[n - 1]
        if not matches or not norm:
            return 0.0
        difference = self._length_difference(len(words))
        product = min(count, matches) * matches * weight**2
        return 10.0 * exp(-(difference**2) / 72.0) * product / norm / MAX_N

    def _length_difference(self, reference_length: int) -> int:
        length = len(self.words.split())
        if self.profile == "corrected":
            return length - reference_length
        return max(length - 1, 0) - max(reference_length - 1, 0)

    @classmethod
    def from_row(cls, row: EvidenceRow) -> CaptionEvidence:
        """Load the evidence of an image from evidence columns."""
        bleu, meteor, precision, recall = row["decided"]
        references = zip(
            row["references"],
            row["reference_words"],
            row["cider"],
            row["reference_norms"],
            strict=True,
        )
        return cls(
            image=row["image"],
            file_name=row["file_name"],
            profile=row["profile"],
            text=row["text"],
            words=row["words"],
            references=tuple(
                ReferenceEvidence(text, words, cider, tuple(norms))
                for text, words, cider, norms in references
            ),
            bleu=bleu,
            meteor=meteor,
            rouge_precision=precision,
            rouge_recall=recall,
            norms=tuple(row["norms"]),
            frequencies=tuple(tuple(row[name]) for name in FREQUENCIES),
            images=row["images"],
            fields=fields_of_row(row),
        )
