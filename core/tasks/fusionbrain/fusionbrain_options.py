"""Options of the FusionBrain competition."""

from __future__ import annotations

import difflib
import math
from dataclasses import dataclass
from pathlib import Path

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
"""The metrics that need a model, by the model's role."""
WHOLE = ("integral", "integral_open", "integral_so_far")


@dataclass(frozen=True, slots=True)
class FusionBrainOptions:
    """The options of the FusionBrain competition."""

    profile: str = option(
        "published",
        "published scores as the organisers' program does; corrected as the rules describe it.",
        choices=("published", "corrected"),
    )
    subtask: str = option(
        "",
        "The one sub-task that truth and predictions belong to; empty for all six.",
        label="Sub-task",
        choices=("", *NAMES),
        titles={"": "all six", **{one.name: one.title for one in SUBTASKS}},
    )
    hidden: tuple[str, ...] = option(
        (),
        "Scores of hidden sub-tasks (0 to 1), for the integral score: hidden2=0.41 for every "
        "system, or NAME:hidden2=0.41 for the one whose file has that name.",
        label="Scores of hidden sub-tasks",
        form="NAME=SCORE",
    )
    failed_pairs: str = option(
        "count",
        "A pair of picture and text that cannot be compared counts 0 when published and is left "
        "out when corrected (count), or it ends the scoring (stop).",
        label="Failed pairs for CLIP",
        choices=("count", "stop"),
    )
    ruwordnet: str = option(
        "", "The database of RuWordNet, for METEOR.", label="RuWordNet", form="FILE"
    )
    weights: tuple[str, ...] = option(
        (),
        "Models by role, as ruclip=FOLDER or inception=FILE, for the image metrics; "
        "random-numbers in the place of a path tries them out without a model.",
        label="Models of the image metrics",
        form="ROLE=PATH",
    )

    @property
    def published(self) -> bool:
        """Whether the published program's number is wanted."""
        return self.profile == "published"

    def hidden_scores(self, system: str = "") -> dict[str, float]:
        """Return the hidden sub-tasks' scores by name; a system's own override the shared ones.

        `system` is the stem of its file. UsageError where one is not written as it should be.
        """
        entries = [_parse_hidden_score(text) for text in self.hidden]
        common = {entry.name: entry.score for entry in entries if not entry.system}
        own = {entry.name: entry.score for entry in entries if entry.system == system}
        return {**common, **own} if system else common

    def with_hidden(self, system: str, name: str, score: float | None) -> tuple[str, ...]:
        """Return the entries of `hidden` with another score of one system; None takes it out."""
        kept = [
            text
            for text in self.hidden
            if (_parse_hidden_score(text).system, _parse_hidden_score(text).name) != (system, name)
        ]
        return tuple(kept if score is None else [*kept, f"{system}:{name}={score!r}"])

    def settings(self) -> dict[str, str]:
        """Return the options for a stamp; of models and scores only that they are given."""
        given = (name for name in ("hidden", "ruwordnet", "weights") if getattr(self, name))
        return {"subtask": self.subtask or "all", **dict.fromkeys(given, "given")}

    def weight_paths(self) -> dict[str, Path]:
        """Return the named models by role; UsageError where one is not written as ROLE=PATH."""
        paths = {} if not self.ruwordnet else {"ruwordnet": Path(self.ruwordnet).expanduser()}
        return {**paths, **weights.named(self.weights)}

    def meaningless_metrics(self) -> tuple[str, ...]:
        """Return the metrics that models of random numbers make, and those made of them."""
        roles = {role for role, path in self.weight_paths().items() if str(path) == WORD}
        found = [name for role, names in ROLE_METRICS.items() if role in roles for name in names]
        return tuple(dict.fromkeys([*found, *WHOLE])) if found else ()


@dataclass(frozen=True, slots=True)
class HiddenScore:
    """A score of a hidden sub-task, of one system or (without a name) of all."""

    system: str
    name: str
    score: float


def _parse_hidden_score(text: str) -> HiddenScore:
    """Parse `hidden2=0.41` or `system:hidden2=0.41`; raises UsageError."""
    left, sign, value = text.rpartition("=")
    system, _, name = (part.strip() for part in left.rpartition(":"))
    if not (sign and name):
        raise UsageError(f'--hidden "{text}": write NAME=SCORE, such as hidden2=0.41.')
    if name not in HIDDEN:
        near = difflib.get_close_matches(name, HIDDEN, n=1)
        meant = f"Did you mean {near[0]}?" if near else f"There are: {', '.join(HIDDEN)}."
        raise UsageError(f'--hidden {text}: there is no "{name}". {meant}')
    score = _number(value)
    if not 0 <= score <= 1:
        raise UsageError(f"--hidden {text}: a number from 0 to 1 is expected.")
    return HiddenScore(system, name, score)


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return math.nan
