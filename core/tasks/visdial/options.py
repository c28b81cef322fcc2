"""What can be chosen for the evaluation of generated answers."""

from __future__ import annotations

from dataclasses import dataclass

from core.model import option


@dataclass(frozen=True, slots=True)
class VisDialOptions:
    """The options of the visual-dialogue competition."""

    profile: str = option(
        "published",
        "published prepares answers as the original does; corrected leaves their text as it is.",
        choices=("published", "corrected"),
    )
    fasttext: str = option("", "A fastText model (.bin) for the word-vector distances.")
    bert: str = option("", "A folder with a BERT model for its distances.")
    frequencies: str = option("", "Saved document frequencies for CIDEr, instead of the file's.")
