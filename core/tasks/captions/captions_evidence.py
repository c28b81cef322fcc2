"""Evidence for one image: caption, references, and the counts behind its scores."""

from __future__ import annotations

from dataclasses import dataclass
from math import exp, log

from jurydesk.core.metrics.captioning.ngrams import MAX_N
from jurydesk.core.model.evaluation import Json
from jurydesk.core.model.evidence_columns import EvidenceRow

FREQUENCIES = tuple(f"frequencies_{n}" for n in range(1, MAX_N + 1))
"""The columns of document frequencies, one for each length of n-grams."""


@dataclass(frozen=True, slots=True)
class ReferenceEvidence:
    """A reference as written and as tokenized, with the CIDEr against it alone.

    `norms` are CIDEr's lengths of its n-grams, one for each number of words.
    """

    text: str
    words: str
    cider: float
    norms: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class NGram:
    """An n-gram shared with references: its document frequency and its share of CIDEr.

    `images` is its document frequency; `share` is its part of the image's CIDEr.
    """

    text: str
    images: int
    share: float


@dataclass(frozen=True, slots=True)
class CaptionEvidence:
    """One image of one submission.

    `bleu`, `meteor`, `rouge_precision` and `rouge_recall` number the references (from 0) that
    decided the metric. `frequencies` give, for each length of n-grams and each place in the
    caption, in how many of `images` the n-gram stands among the references.
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

    @property
    def cider(self) -> int:
        """The reference (from 0) that gives the most to CIDEr, which adds up all of them."""
        return max(range(len(self.references)), key=lambda one: self.references[one].cider)

    def strongest(self, most: int = 8) -> tuple[NGram, ...]:
        """Return the n-grams that give CIDEr the most, the strongest first."""
        found: dict[str, NGram] = {}
        own = self.words.split()
        for n in range(1, MAX_N + 1):
            grams = [" ".join(own[place : place + n]) for place in range(len(own) - n + 1)]
            for gram, images in zip(grams, self.frequencies[n - 1], strict=True):
                if gram in found or not images:
                    continue
                weight = log(self.images) - log(images)
                share = sum(
                    self._share(gram, n, grams.count(gram), weight, reference)
                    for reference in self.references
                )
                found[gram] = NGram(gram, images, share / len(self.references))
        ranked = sorted(found.values(), key=lambda one: -one.share)
        return tuple(one for one in ranked[:most] if one.share > 0)

    def _share(
        self, gram: str, n: int, times: int, weight: float, reference: ReferenceEvidence
    ) -> float:
        """Return what an n-gram gives to the CIDEr against one reference."""
        words = reference.words.split()
        there = sum(" ".join(words[i : i + n]) == gram for i in range(len(words) - n + 1))
        length = self.norms[n - 1] * reference.norms[n - 1]
        if not there or not length:
            return 0.0
        apart = self._apart(len(words))
        product = min(times, there) * there * weight**2
        return 10.0 * exp(-(apart**2) / 72.0) * product / length / MAX_N

    def _apart(self, words: int) -> int:
        own = len(self.words.split())
        if self.profile == "corrected":
            return own - words
        return max(own - 1, 0) - max(words - 1, 0)

    def to_json(self) -> Json:
        """Return the evidence as JSON values; `from_json` reads it back."""
        return {
            "image": self.image,
            "file_name": self.file_name,
            "profile": self.profile,
            "text": self.text,
            "words": self.words,
            "references": [
                [one.text, one.words, one.cider, list(one.norms)] for one in self.references
            ],
            "decided": [self.bleu, self.meteor, self.rouge_precision, self.rouge_recall],
            "norms": list(self.norms),
            "frequencies": [list(row) for row in self.frequencies],
            "images": self.images,
        }

    @classmethod
    def load(cls, kept: Json) -> CaptionEvidence:
        """Return the evidence of a desk: of columns, or of JSON where the desk is older."""
        return cls.from_row(kept) if isinstance(kept, EvidenceRow) else cls.from_json(kept)

    @classmethod
    def from_row(cls, row: EvidenceRow) -> CaptionEvidence:
        """Return the evidence of an image from the columns that scoring made."""
        bleu, meteor, precision, recall = row["decided"]
        references = zip(
            row["references"],
            row["reference_words"],
            row["cider"],
            map(tuple, row["reference_norms"]),
            strict=True,
        )
        return cls(
            image=row["image"],
            file_name=row["file_name"],
            profile=row["profile"],
            text=row["text"],
            words=row["words"],
            references=tuple(ReferenceEvidence(*one) for one in references),
            bleu=bleu,
            meteor=meteor,
            rouge_precision=precision,
            rouge_recall=recall,
            norms=tuple(row["norms"]),
            frequencies=tuple(tuple(row[name]) for name in FREQUENCIES),
            images=row["images"],
        )

    @classmethod
    def from_json(cls, data: Json) -> CaptionEvidence:
        """Return the evidence that `to_json` wrote."""
        bleu, meteor, precision, recall = data["decided"]
        return cls(
            image=data["image"],
            file_name=data["file_name"],
            profile=data["profile"],
            text=data["text"],
            words=data["words"],
            references=tuple(
                ReferenceEvidence(text, words, cider, tuple(norms))
                for text, words, cider, norms in data["references"]
            ),
            bleu=bleu,
            meteor=meteor,
            rouge_precision=precision,
            rouge_recall=recall,
            norms=tuple(data["norms"]),
            frequencies=tuple(tuple(row) for row in data["frequencies"]),
            images=data["images"],
        )
