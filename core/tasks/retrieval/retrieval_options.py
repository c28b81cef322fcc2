"""Options of image-text retrieval."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from jurydesk.core.competition.task import Policy
from jurydesk.core.metrics.retrieval_ranks import ORDERS
from jurydesk.core.model.options import option

PUBLISHED, CORRECTED = "published", "corrected"
FOLDS = 5
CAPTIONS = {"all": 0, "five": 5, "one": 1}
"""Captions of each image that are used, by choice; 0 means all."""


PRINTED = ("vsepp", "scan")
"""Programs that print another sum of recalls for five folds."""


@dataclass(frozen=True, slots=True)
class RetrievalOptions:
    """Options of an image-text retrieval evaluation."""

    profile: str = option(
        PUBLISHED,
        "published rounds the median rank down, as VSE++ does; corrected does not, and gives "
        "ties their expected value.",
        choices=(PUBLISHED, CORRECTED),
    )
    captions_per_image: int = option(
        0,
        "Captions of each image, in the order of the images; 0 derives the number from the shape.",
        label="Captions per image",
        form="NUMBER",
    )
    folds: str = option(
        "1",
        "5 gives the means over five consecutive fifths of the images, each with its own gallery "
        "(COCO 1K).",
        label="Folds",
        choices=("1", "5"),
    )
    rows: str = option(
        "images",
        "What the rows of a square matrix of similarities are; other shapes show it.",
        label="Rows of a square matrix",
        choices=("images", "captions"),
    )
    captions_used: str = option(
        "all",
        "Captions of each image that are used: all, the first five, or the first one.",
        label="Captions used",
        choices=tuple(CAPTIONS),
    )
    captions_order: str = option(
        "images",
        "Order of the submission's captions: image by image, or as the annotations list them.",
        label="Order of captions",
        choices=("images", "file"),
    )
    normalise: bool = option(
        False,
        "Normalise embeddings to unit length, for cosine similarity.",
        label="Cosine similarity",
    )
    ties: str = option(
        "numpy",
        "Order of equal similarities: that of NumPy as published, by index (last or first), best, "
        "worst, or the expected value over all orders.",
        label="Order of equal similarities",
        choices=ORDERS,
    )
    printed_sum: str = option(
        "right",
        "Sum of recalls of five folds: the right one, or what VSE++ prints (six times it) or SCAN "
        "(six times the mean recall of image to text).",
        label="Sum of recalls of five folds",
        choices=("right", *PRINTED),
    )
    export_trec: str = option(
        "",
        "Folder for rankings and judgements in trec_eval's format, 1,000 candidates a query.",
        form="FOLDER",
        target=True,
    )

    @property
    def corrected(self) -> bool:
        """True for the corrected profile."""
        return self.profile == CORRECTED

    @property
    def printed_by(self) -> str:
        """Program whose sum of recalls is computed; empty for the right one."""
        return self.printed_sum if int(self.folds) > 1 and self.printed_sum in PRINTED else ""

    @property
    def order(self) -> str:
        """Order of ties; the corrected profile replaces NumPy's."""
        return "expected" if self.corrected and self.ties == "numpy" else self.ties


def policies(settings: Mapping[str, str]) -> tuple[Policy, ...]:
    """Return the orders of equal similarities."""
    return (
        Policy("equal similarities", "in NumPy's order", {"ties": "numpy"}),
        Policy("equal similarities", "the last first", {"ties": "last"}),
        Policy("equal similarities", "the first first", {"ties": "first"}),
        Policy("equal similarities", "in the best order", {"ties": "best"}),
        Policy("equal similarities", "in the worst order", {"ties": "worst"}),
        Policy("equal similarities", "in any order", {"ties": "expected"}),
    )
