"""A hand-made alignment for tests of the views."""

from __future__ import annotations

from jurydesk.core.metrics.meteor.alignment.alignment import Alignment, AlignmentMatch

HYPOTHESIS = ["the", "family", "went", "to", "the", "beaches", ".", "they", "enjoyed", "a", "walk"]
REFERENCE = [
    "the",
    "family",
    "headed",
    "for",
    "the",
    "beach",
    "early",
    ".",
    "they",
    "liked",
    "their",
    "walk",
]
MATCHES = (
    AlignmentMatch(0, 2, 0, 2, 0),
    AlignmentMatch(2, 2, 2, 2, 3),
    AlignmentMatch(4, 1, 4, 1, 0),
    AlignmentMatch(5, 1, 5, 1, 1),
    AlignmentMatch(7, 1, 6, 1, 0),
    AlignmentMatch(8, 1, 7, 1, 0),
    AlignmentMatch(9, 1, 8, 1, 2),
    AlignmentMatch(11, 1, 10, 1, 0),
)


def alignment(
    hypothesis: list[str] = HYPOTHESIS,
    reference: list[str] = REFERENCE,
    matches: tuple[AlignmentMatch, ...] = MATCHES,
) -> Alignment:
    """Return a pair of sentences with matches of all four modules in three chunks."""
    counts = (11, 12, 4, 4, *[0] * 16, 3, 10, 10)
    return Alignment(
        tuple(hypothesis),
        tuple(reference),
        matches,
        counts,
        precision=0.8,
        recall=0.75,
        fmean=0.78,
        fragmentation=0.3,
        penalty=0.06,
        score=0.7332,
        alpha=0.4,
        beta=1.5,
        gamma=0.35,
        delta=0.55,
        weights=(1.0, 0.2, 0.6, 0.8),
        modules=("exact", "stem", "synonym", "paraphrase"),
    )
