"""Preparation of captions for METEOR, by the rules of each program."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from jurydesk.core.metrics.detection.detection_rules import TextRule
from jurydesk.core.metrics.ptb_tokenizer import tokenize_captions
from jurydesk.core.tasks.densecap.readers.ground_truth_reader import GroundTruth
from jurydesk.core.tasks.densecap.readers.regions import Regions

if TYPE_CHECKING:
    from jurydesk.core.execution.run import Run

SPECIAL_WORDS = frozenset({"<pad>", "<bos>", "<eos>"})
"""Words that densecap-pytorch drops; it keeps `<unk>`."""


def caption_candidate(caption: str) -> str:
    """Return a detection's caption as most of the programs pass it to METEOR."""
    return caption.replace("|||", "").replace("  ", " ")


def prepare_captions(
    truth: GroundTruth, detections: Regions, images: Mapping[int, int], rule: TextRule, run: Run
) -> tuple[GroundTruth, Regions]:
    """Return both sides with the captions that METEOR reads.

    `images` are the indices in `detections` by those in `truth`. What remains is the same for all
    programs: `caption_candidate`, and references split at METEOR's separator.
    """
    if rule == "densecap":
        return truth, detections
    if rule == "ptb":
        return _tokenized(truth, detections, images, run)
    of_reference, of_candidate = _WORD_RULES[rule]
    regions = truth.regions
    return (
        replace(truth, regions=_with_captions(regions, map(of_reference, regions.captions))),
        _with_captions(detections, map(of_candidate, detections.captions)),
    )


def _with_captions(regions: Regions, captions: Sequence[str] | map[str]) -> Regions:
    return replace(regions, captions=tuple(captions))


def _joined_words(caption: str) -> str:
    return " ".join(caption.split())


def _without_special_words(caption: str) -> str:
    return " ".join(word for word in caption.split() if word not in SPECIAL_WORDS)


_WORD_RULES: Mapping[TextRule, tuple[Callable[[str], str], Callable[[str], str]]] = {
    "words": (_joined_words, lambda caption: _joined_words(caption.replace("|||", ""))),
    "special words": (
        _without_special_words,
        lambda caption: _joined_words(_without_special_words(caption).replace("|||", "")),
    ),
    "scenic": (lambda caption: caption.replace("\n", ""), lambda caption: caption),
}
"""Functions of references and candidates."""


def _tokenized(
    truth: GroundTruth, detections: Regions, images: Mapping[int, int], run: Run
) -> tuple[GroundTruth, Regions]:
    """Tokenize the captions of all objects in one text, and those of all detections in another.

    Only ASCII characters are kept, as JIVC's preparation of data does.
    """
    regions = truth.regions
    rows = [
        regions.rows(image).start + box
        for image, merged in enumerate(truth.groups)
        for members in merged.members
        for box in members
    ]
    candidates = [row for image in images.values() for row in _by_score(detections, image)]
    return (
        replace(truth, regions=_with_tokens(regions, rows, run)),
        _with_tokens(detections, candidates, run),
    )


def _by_score(detections: Regions, image: int) -> list[int]:
    """Return the rows of an image by descending score."""
    rows = detections.rows(image)
    return sorted(range(rows.start, rows.stop), key=lambda row: -detections.scores[row])


def _with_tokens(regions: Regions, rows: Sequence[int], run: Run) -> Regions:
    captions = list(regions.captions)
    kept = [captions[row].encode("ascii", "ignore").decode("ascii") for row in rows]
    for row, tokens in zip(rows, tokenize_captions(kept, check=run.check), strict=False):
        captions[row] = tokens
    return _with_captions(regions, captions)
