"""Options of the FusionBrain competition."""

from __future__ import annotations

import difflib
import math
from dataclasses import dataclass
from pathlib import Path

from jurydesk.core.language import fill, translatable
from jurydesk.core.model.evaluation import UsageError
from jurydesk.core.model.options import option
from jurydesk.core.neural.weights import weight_roles as weights
from jurydesk.core.neural.weights.random_weights import WORD
from jurydesk.core.tasks.fusionbrain.integral_score import HIDDEN, NAMES, SUBTASKS

ROLE_METRICS = {
    "inception": ("generation_fid", "generation"),
    "ruclip": ("generation_clip", "generation", "captioning_clip", "captioning"),
    "clip": ("generation_clip", "generation", "captioning_clip", "captioning"),
}
"""Metrics that need a model, by its role."""
MODELS = (*ROLE_METRICS, "ruwordnet", "nltk")
"""Roles of the models."""
WHOLE = ("integral", "integral_open", "integral_so_far")


@dataclass(frozen=True, slots=True)
class FusionBrainOptions:
    """Options of a FusionBrain evaluation."""

    profile: str = option(
        "published",
        "published reproduces the organisers' program; corrected follows the written rules.",
        choices=("published", "corrected"),
    )
    subtask: str = option(
        "",
        "The only sub-task of truth and predictions; empty for all six.",
        label="Sub-task",
        choices=("", *NAMES),
        titles={"": "all six", **{one.name: one.title for one in SUBTASKS}},
    )
    hidden: tuple[str, ...] = option(
        (),
        "Scores of hidden sub-tasks (0 to 1) for the integral score: hidden2=0.41 for every "
        "system, or NAME:hidden2=0.41 for the system of that file name.",
        label="Scores of hidden sub-tasks",
        form="NAME=SCORE",
    )
    failed_pairs: str = option(
        "count",
        "count: a picture-text pair that cannot be compared scores 0 in the published profile and "
        "is left out in the corrected profile; stop: it ends the scoring.",
        label="Failed pairs for CLIP",
        choices=("count", "stop"),
    )
    ruwordnet: str = option("", "RuWordNet's database, for METEOR.", label="RuWordNet", form="FILE")
    weights: tuple[str, ...] = option(
        (),
        "Models of the image metrics by role: ruclip=FOLDER or inception=FILE; random-numbers "
        "instead of a path tries a metric with random weights.",
        label="Models of the image metrics",
        form="ROLE=PATH",
    )

    @property
    def published(self) -> bool:
        """True for the published profile."""
        return self.profile == "published"

    def hidden_scores(self, system: str = "") -> dict[str, float]:
        """Return the hidden sub-tasks' scores by name; a system's override the shared ones.

        `system` is the stem of its file. Raises UsageError for an invalid entry.
        """
        entries = [_parse_hidden_score(text) for text in self.hidden]
        shared = {entry.name: entry.score for entry in entries if not entry.system}
        specific = {entry.name: entry.score for entry in entries if entry.system == system}
        return {**shared, **specific} if system else shared

    def with_hidden(self, system: str, name: str, score: float | None) -> tuple[str, ...]:
        """Return the entries of `hidden` with a replaced or (None) removed score of a system."""
        others = [
            text
            for text in self.hidden
            if (_parse_hidden_score(text).system, _parse_hidden_score(text).name) != (system, name)
        ]
        return tuple(others if score is None else [*others, f"{system}:{name}={score!r}"])

    def settings(self) -> dict[str, str]:
        """Return the options for a stamp, without paths and scores."""
        given = (name for name in ("hidden", "ruwordnet", "weights") if getattr(self, name))
        return {"subtask": self.subtask or "all", **dict.fromkeys(given, "given")}

    def weight_paths(self) -> dict[str, Path]:
        """Return the given models by role; raise UsageError if one is not ROLE=PATH."""
        paths = {} if not self.ruwordnet else {"ruwordnet": Path(self.ruwordnet).expanduser()}
        return {**paths, **weights.weight_arguments(self.weights, MODELS)}

    def meaningless_metrics(self) -> tuple[str, ...]:
        """Return the metrics that depend on a model with random weights."""
        roles = {role for role, path in self.weight_paths().items() if str(path) == WORD}
        names = [
            name for role, metrics in ROLE_METRICS.items() if role in roles for name in metrics
        ]
        return tuple(dict.fromkeys([*names, *WHOLE])) if names else ()


@dataclass(frozen=True, slots=True)
class HiddenScore:
    """A score of a hidden sub-task for one system, or for all if `system` is empty."""

    system: str
    name: str
    score: float


def _parse_hidden_score(text: str) -> HiddenScore:
    """Parse `hidden2=0.41` or `system:hidden2=0.41`; raise UsageError if invalid."""
    left, sign, value = text.rpartition("=")
    system, _, name = (part.strip() for part in left.rpartition(":"))
    if not (sign and name):
        raise UsageError(fill('--hidden "{text}": write NAME=SCORE, such as hidden2=0.41.', text))
    if name not in HIDDEN:
        near = difflib.get_close_matches(name, HIDDEN, n=1)
        hint = (
            fill("Did you mean {near}?", near[0])
            if near
            else fill("Choose one of {join}.", ", ".join(HIDDEN))
        )
        raise UsageError(
            fill('--hidden {text}: there is no "{name}". {hint}', text, name, translatable(hint))
        )
    score = _number(value)
    if not 0 <= score <= 1:
        raise UsageError(fill("--hidden {text}: a number from 0 to 1 is expected.", text))
    return HiddenScore(system, name, score)


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return math.nan
