"""Languages of METEOR: what the jar holds for each, and its tuned parameters."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Literal

from jurydesk.core.language import fill
from jurydesk.core.metrics.meteor.config import (
    MODULES,
    TASKS,
    MeteorParameters,
    Module,
)

Stemming = Literal["snowball", "table", "none"]


@dataclass(frozen=True, slots=True)
class Language:
    """Language of METEOR, by the jar's code and its name in English.

    Attributes:
        modules: Default modules.
        rank: Alpha, beta, gamma and delta of the task rank; None if the language has no parameters
            of its own, so that `li` is its default task.
        rank_weights: Weights of the default modules for the task rank.
        other_codes: Further codes that the jar accepts.
    """

    code: str
    name: str
    modules: tuple[Module, ...] = ("exact", "stem")
    rank: tuple[float, float, float, float] | None = None
    rank_weights: tuple[float, ...] = ()
    has_normalizer: bool = False
    stemming: Stemming = "snowball"
    other_codes: tuple[str, ...] = ()

    @property
    def title(self) -> str:
        """Name as the jar prints it."""
        return self.name.capitalize()

    @property
    def default_task(self) -> str:
        """Task that is used if none is named."""
        return "li" if self.rank is None else "rank"

    def parameters(self, task: str) -> MeteorParameters:
        """Return the parameters of a task in this language.

        Those of a task that was not tuned for the language are 0, as in the jar, and so is every
        score. Raises ValueError for an unknown task.
        """
        if task not in TASKS:
            raise ValueError(
                fill("METEOR has no task {task}; it has {join}.", repr(task), ", ".join(TASKS))
            )
        if self == ENGLISH or task == "universal":
            return TASKS[task]
        if self == OTHER:
            return replace(self._shared(TASKS["li"]), name=task)
        if task in SHARED_TASKS:
            return self._shared(TASKS[task])
        if task == "rank" and self.rank is not None:
            return MeteorParameters(task, *self.rank, self.rank_weights, self.modules)
        weights = (0.0,) * len(self.modules)
        return MeteorParameters(task, 0.0, 0.0, 0.0, 0.0, weights, self.modules)

    def _shared(self, known: MeteorParameters) -> MeteorParameters:
        weights = known.stage_weights[: len(self.modules)]
        return replace(known, stage_weights=weights, modules=self.modules)


SHARED_TASKS = ("li", "tune")
"""Tasks with the same parameters in all languages; `universal` has its own modules too."""

_WITH_PARAPHRASES: tuple[Module, ...] = ("exact", "stem", "paraphrase")

ENGLISH = Language("en", "english", MODULES, (0.85, 0.20, 0.60, 0.75), (1.0, 0.6, 0.8, 0.6), True)

OTHER = Language("other", "other", ("exact",), stemming="none", other_codes=("xx",))
"""Any language: words are matched exactly, with the parameters of `li` for every task."""

# Parameters and codes as meteor-1.5.jar prints and accepts them.
ALL_LANGUAGES = (
    ENGLISH,
    Language(
        "cz", "czech", ("exact", "paraphrase"), (0.95, 0.2, 0.6, 0.8), (1.0, 0.4), True, "none",
        ("cs",),
    ),
    Language("de", "german", _WITH_PARAPHRASES, (0.95, 1.0, 0.55, 0.55), (1.0, 0.8, 0.2), True),
    Language("es", "spanish", _WITH_PARAPHRASES, (0.65, 1.3, 0.5, 0.8), (1.0, 0.8, 0.6), True),
    Language("fr", "french", _WITH_PARAPHRASES, (0.9, 1.4, 0.6, 0.65), (1.0, 0.2, 0.4), True),
    Language("ru", "russian", _WITH_PARAPHRASES, (0.75, 1.4, 0.7, 0.5), (1.0, 0.5, 0.5), True),
    Language("da", "danish"),
    Language("fi", "finnish"),
    Language("hu", "hungarian"),
    Language("it", "italian"),
    Language("nl", "dutch"),
    Language("no", "norwegian"),
    Language("pt", "portuguese"),
    Language("ro", "romanian"),
    Language("se", "swedish", other_codes=("sv",)),
    Language("tr", "turkish"),
    Language("ar-bw-red", "arabic-buckwalter-reduced", stemming="table"),
    OTHER,
)  # fmt: skip

LANGUAGES: Mapping[str, Language] = MappingProxyType({one.code: one for one in ALL_LANGUAGES})


def find_language(text: str) -> Language:
    """Return the language with a code or name, in any case; ValueError for an unknown one."""
    wanted = text.lower()
    for one in ALL_LANGUAGES:
        if wanted in (one.code, one.name, *one.other_codes):
            return one
    raise ValueError(
        fill("METEOR has no language {text}; it has {join}.", repr(text), ", ".join(LANGUAGES))
    )
