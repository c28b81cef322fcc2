"""Options of the captioning competition."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from jurydesk.core.competition.task import Policy
from jurydesk.core.model.options import option

PUBLISHED, CORRECTED = "published", "corrected"
ALL, RESULTS = "all", "results"


@dataclass(frozen=True, slots=True)
class CaptionOptions:
    """Options of a captioning evaluation."""

    profile: str = option(
        PUBLISHED,
        "published reproduces pycocoevalcap; corrected drops brackets, tokenizes each caption "
        "separately, and computes ROUGE-L from one reference.",
        choices=(PUBLISHED, CORRECTED),
    )
    images: str = option(
        ALL,
        "all scores every image of the annotations; results scores the images of the results "
        "only, as pycocoevalcap's example does. CIDEr depends on the scored images.",
        label="Images",
        choices=(ALL, RESULTS),
        titles={ALL: "All of the annotations", RESULTS: "Those of the results"},
    )
    split: str = option(
        "test",
        "Part of a Karpathy split (Flickr30k) to score.",
        label="Split",
        form="NAME",
    )

    @property
    def corrected(self) -> bool:
        """True for the corrected profile."""
        return self.profile == CORRECTED


def policies(settings: Mapping[str, str]) -> tuple[Policy, ...]:
    """Return the choices of scored images, on which CIDEr depends."""
    return (
        Policy("images", "of the annotations", {"images": ALL}),
        Policy("images", "of the results", {"images": RESULTS}),
    )
