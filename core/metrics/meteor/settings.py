"""What of a configuration matters to matching and search."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from core.metrics.meteor.config import MODULES, Config

Stages = tuple[int, int, int, int]
"""The stage at which each of the four modules runs, -1 where it does not."""


@dataclass(frozen=True, slots=True)
class Settings:
    """The stages of the modules, the width of the beam, and what lengths count."""

    stages: Stages
    beam: int
    characters: bool


@lru_cache(maxsize=64)
def settings(config: Config) -> Settings:
    """The settings of a configuration."""
    order = [name for name, _ in config.weights.modules]
    exact, stem, synonym, paraphrase = (
        order.index(name) if name in order else -1 for name in MODULES
    )
    return Settings((exact, stem, synonym, paraphrase), config.beam, config.characters)
