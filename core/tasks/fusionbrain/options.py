"""What can be chosen for the evaluation of a FusionBrain submission."""

from __future__ import annotations

import difflib
import math
from dataclasses import dataclass
from pathlib import Path

from core.model import UsageError, option
from core.run import weights
from core.tasks.fusionbrain.subtasks import HIDDEN, NAMES


@dataclass(frozen=True, slots=True)
class FusionBrainOptions:
    """The options of the FusionBrain competition."""

    profile: str = option(
        "published",
        "published scores as the organisers' program does; corrected as its description says.",
        choices=("published", "corrected"),
    )
    subtask: str = option(
        "",
        "The one sub-task that truth and predictions belong to; empty for all six.",
        choices=("", *NAMES),
    )
    hidden: tuple[str, ...] = option(
        (), "Scores of the hidden sub-tasks, as hidden2=0.41 (0 to 1), for the integral score."
    )
    ruwordnet: str = option("", "The database of RuWordNet, for METEOR.")
    weights: tuple[str, ...] = option(
        (), "Models by role, as ruclip=FOLDER or inception=FILE, for the image metrics."
    )

    @property
    def published(self) -> bool:
        """Whether the published program's number is wanted."""
        return self.profile == "published"

    def hidden_scores(self) -> dict[str, float]:
        """The scores of hidden sub-tasks by name; UsageError where one is none."""
        scores: dict[str, float] = {}
        for name, text in map(_name_and_value, self.hidden):
            score = _number(text)
            if not 0 <= score <= 1:
                raise UsageError(f"--hidden {name}={text}: a number from 0 to 1 is expected.")
            scores[name] = score
        return scores

    def weight_paths(self) -> dict[str, Path]:
        """The named models by role; UsageError where one is not written as ROLE=PATH."""
        paths = {} if not self.ruwordnet else {"ruwordnet": Path(self.ruwordnet).expanduser()}
        return {**paths, **weights.named(self.weights)}


def _name_and_value(text: str) -> tuple[str, str]:
    name, sign, value = (part.strip() for part in text.partition("="))
    if not (name and sign and value):
        raise UsageError(f'--hidden "{text}": write NAME=SCORE, such as hidden2=0.41.')
    if name not in HIDDEN:
        near = difflib.get_close_matches(name, HIDDEN, n=1)
        meant = f"Did you mean {near[0]}?" if near else f"There are: {', '.join(HIDDEN)}."
        raise UsageError(f'--hidden {text}: there is no "{name}". {meant}')
    return name, value


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return math.nan
