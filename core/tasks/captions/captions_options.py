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
    """The options of one evaluation."""

    profile: str = option(
        PUBLISHED,
        "published gives the numbers of pycocoevalcap; corrected drops brackets, takes each "
        "caption by itself, and takes ROUGE-L of one reference.",
        choices=(PUBLISHED, CORRECTED),
    )
    images: str = option(
        ALL,
        "all scores every image of the annotations; results only those that the results have, as "
        "the example of pycocoevalcap does. CIDEr depends on which images are scored.",
        label="Images",
        choices=(ALL, RESULTS),
        titles={ALL: "All of the annotations", RESULTS: "Those of the results"},
    )
    split: str = option(
        "test",
        "The part of a Karpathy split (Flickr30k) that is scored.",
        label="Split",
        form="NAME",
    )

    @property
    def corrected(self) -> bool:
        """Whether the repaired rules hold."""
        return self.profile == CORRECTED


def policies(settings: Mapping[str, str]) -> tuple[Policy, ...]:
    """Return the choices of images, which decide what CIDEr is."""
    return (
        Policy("images", "of the annotations", {"images": ALL}),
        Policy("images", "of the results", {"images": RESULTS}),
    )
