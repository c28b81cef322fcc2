"""Configuration of METEOR: task parameters and text normalization."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Literal

from jurydesk.core.language import fill

BEAM_SIZE = 40  # meteor-1.5.jar, option -x

EXACT, STEM, SYNONYM, PARAPHRASE = range(4)

Module = Literal["exact", "stem", "synonym", "paraphrase"]
MODULES: tuple[Module, ...] = ("exact", "stem", "synonym", "paraphrase")


Stages = tuple[int, int, int, int]
"""Stage of each of the four modules, -1 if it is off."""


@dataclass(frozen=True, slots=True)
class MeteorParameters:
    """Tuned parameters of a METEOR task.

    `alpha` balances precision and recall, `beta` and `gamma` shape the fragmentation penalty,
    `delta` weighs content words against function words. `modules` names the matchers in the order
    of their stages, `stage_weights` has the weight of each; `stages` follows from them.
    """

    name: str
    alpha: float
    beta: float
    gamma: float
    delta: float
    stage_weights: tuple[float, ...]
    modules: tuple[Module, ...] = MODULES
    stages: Stages = field(init=False)

    @property
    def has_usual_order(self) -> bool:
        """Return whether the modules run in the order of `MODULES`."""
        return list(self.modules) == sorted(self.modules, key=MODULES.index)

    def __post_init__(self) -> None:
        order = self.modules
        exact, stem, synonym, paraphrase = (
            order.index(name) if name in order else -1 for name in MODULES
        )
        object.__setattr__(self, "stages", (exact, stem, synonym, paraphrase))


# Denkowski and Lavie, Meteor Universal, WMT 2014, and the constants of meteor-1.5.jar.
RANK = MeteorParameters("rank", 0.85, 0.20, 0.60, 0.75, (1.0, 0.6, 0.8, 0.6))
HTER = MeteorParameters("hter", 0.40, 1.50, 0.35, 0.55, (1.0, 0.2, 0.6, 0.8))
ADQ = MeteorParameters("adq", 0.75, 1.40, 0.45, 0.70, (1.0, 1.0, 0.6, 0.8))
LI = MeteorParameters("li", 0.75, 1.40, 0.70, 0.50, (1.0, 0.5, 0.5, 0.5))
TUNE = MeteorParameters("tune", 0.50, 1.00, 0.50, 0.50, (1.0, 0.5, 0.5, 0.5))
UTIL = MeteorParameters("util", 0.65, 0.10, 0.55, 0.65, (1.0, 0.0, 0.0, 0.8))
UNIVERSAL = MeteorParameters(
    "universal", 0.70, 1.40, 0.30, 0.70, (1.0, 0.6), ("exact", "paraphrase")
)

TASKS: Mapping[str, MeteorParameters] = MappingProxyType(
    {task.name: task for task in (RANK, HTER, ADQ, LI, TUNE, UTIL, UNIVERSAL)}
)


@dataclass(frozen=True, slots=True)
class Config:
    """Configuration of METEOR.

    `normalise` splits punctuation off the words, `keep_punctuation` matters only with it, and
    `lowercase` comes after it. `characters` counts the characters of words instead of words (the
    jar's `-ch`; its Java interface switches that on for the task `util`).
    """

    weights: MeteorParameters = RANK
    normalise: bool = False
    keep_punctuation: bool = True
    lowercase: bool = False
    characters: bool = False
    beam: int = BEAM_SIZE
    language: str = "en"
    """The jar's code of the language."""

    @property
    def text_mode(self) -> str:
        """Text normalization as the stamp names it: none, lower, norm, norm,nopunct."""
        if not self.normalise:
            return "lower" if self.lowercase else "none"
        return "norm" if self.keep_punctuation else "norm,nopunct"


def jar_config(
    task: str = "rank",
    *,
    norm: bool = False,
    lower: bool = False,
    no_punct: bool = False,
    char: bool = False,
) -> Config:
    """Return the configuration of the jar's command-line flags with these names.

    `norm` implies lower case; `no_punct` has a meaning only with it. Raises ValueError for an
    unknown task.
    """
    if task not in TASKS:
        raise ValueError(
            fill("METEOR has no task {task}; it has {join}.", repr(task), ", ".join(TASKS))
        )
    return Config(
        weights=TASKS[task],
        normalise=norm,
        keep_punctuation=not no_punct,
        lowercase=lower or norm,
        characters=char,
    )


def custom_parameters(
    task: MeteorParameters,
    parameters: Sequence[float] = (),
    modules: Sequence[str] = (),
    weights: Sequence[float] = (),
    adequacy: MeteorParameters = ADQ,
) -> MeteorParameters:
    """Return a task's parameters with those of the jar's options `-p`, `-m` and `-w`.

    `adequacy` has the parameters of the task adq in the same language. Modules without a weight
    have the weight 0.

    Raises:
        ValueError: Numbers or modules do not fit.
    """
    if not (parameters or modules or weights):
        return task
    chosen = task.modules
    if modules:
        chosen = tuple(module for name in modules for module in MODULES if module == name)
        if len(chosen) != len(modules) or len({*chosen}) != len(chosen) or chosen[0] != "exact":
            raise ValueError("the modules are exact, then any of stem, synonym and paraphrase")
    if parameters and len(parameters) != 4:
        raise ValueError(f"alpha, beta, gamma and delta are 4 numbers, not {len(parameters)}")
    # As in the jar: weights by position, and those of the task adq with `-p`.
    defaults = adequacy if parameters else task
    given = tuple(weights or defaults.stage_weights)
    values = tuple([*given, *(0.0 for _ in chosen)][: len(chosen)])
    alpha, beta, gamma, delta = parameters or (task.alpha, task.beta, task.gamma, task.delta)
    return MeteorParameters("custom", alpha, beta, gamma, delta, values, chosen)


PROFILES: Mapping[str, Config] = MappingProxyType(
    {
        "vist": jar_config(
            "hter"
        ),  # VIST Challenge 2018, EvalVIST: setTask("hter") and nothing else
        "coco": jar_config("rank", norm=True),  # pycocoevalcap: -l en -norm
    }
)


def profile(name: str) -> Config:
    """Return the configuration of a named profile; ValueError for an unknown name."""
    if name not in PROFILES:
        raise ValueError(
            fill("METEOR has no profile {name}; it has {join}.", repr(name), ", ".join(PROFILES))
        )
    return PROFILES[name]
