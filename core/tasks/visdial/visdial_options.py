"""Options of visual dialogue."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from jurydesk.core.model.options import option
from jurydesk.core.neural.weights.weight_roles import weight_arguments

MODELS = ("fasttext", "bert")
"""Roles of the models."""


@dataclass(frozen=True, slots=True)
class VisDialOptions:
    """Options of a visual-dialogue evaluation."""

    profile: str = option(
        "published",
        "published tokenizes and rejoins answers as the original does; corrected keeps their text.",
        choices=("published", "corrected"),
    )
    fasttext: str = option(
        "",
        "A fastText model (.bin) for the word-vector distances.",
        label="fastText model",
        form="FILE",
    )
    bert: str = option(
        "", "A folder with a BERT model for its distances.", label="BERT model", form="FOLDER"
    )
    weights: tuple[str, ...] = option(
        (),
        "The same models by role, as fasttext=FILE or bert=FOLDER.",
        label="Models by role",
        form="ROLE=PATH",
    )
    frequencies: str = option(
        "",
        "Saved document frequencies for CIDEr, instead of the file's.",
        label="Document frequencies",
        form="FILE",
    )
    save_frequencies: str = option(
        "",
        "Where to save the document frequencies of the reference sets.",
        form="FILE",
        target=True,
    )

    @property
    def published(self) -> bool:
        """True for the published profile."""
        return self.profile == "published"

    def model_paths(self) -> dict[str, Path]:
        """Return the given models by role; raise UsageError if one is not ROLE=PATH."""
        paths = weight_arguments(self.weights, MODELS)
        options = {"fasttext": self.fasttext, "bert": self.bert}
        return paths | {role: Path(path).expanduser() for role, path in options.items() if path}
