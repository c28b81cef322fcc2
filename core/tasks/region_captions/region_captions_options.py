"""Options of region captioning: whose items are scored."""

from __future__ import annotations

from dataclasses import dataclass

from jurydesk.core.model.options import option
from jurydesk.core.tasks.captions.captions_options import CaptionOptions

RESULTS = "results"
"""Role of a system's files."""
GLAMM, CONTROLCAP, PER_REGION = "glamm", "controlcap", "per-region"
PROFILES = (GLAMM, CONTROLCAP, PER_REGION)
CAPTION_OPTIONS = CaptionOptions()
"""Options of the caption metrics: all of the programs use pycocoevalcap as it is."""


@dataclass(frozen=True, slots=True)
class RegionCaptionOptions:
    """Options of an evaluation of region captions."""

    profile: str = option(
        GLAMM,
        "glamm and controlcap score images with one region each, as these programs do; "
        "per-region scores each region.",
        choices=PROFILES,
    )
    strict: bool = option(
        False,
        "Score items without a result as an empty caption, in place of leaving them out.",
        label="Count missing results",
    )

    @property
    def is_per_region(self) -> bool:
        """True if each region is an item; else each image is."""
        return self.profile == PER_REGION
