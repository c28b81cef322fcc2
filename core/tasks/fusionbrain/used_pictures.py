"""The pictures that decide a system's scores, by names that do not depend on where they lie."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from core.tasks.fusionbrain.competition import Competition, Predictions
from core.tasks.fusionbrain.generation import real_place
from core.tasks.fusionbrain.options import FusionBrainOptions
from core.tasks.fusionbrain.pairs import captioning_pairs, generation_pairs
from core.tasks.fusionbrain.pictures import Pictures
from core.tasks.fusionbrain.subtasks import CAPTIONING, GENERATION
from core.tasks.pictures import fid_pictures

Named = Iterator[tuple[str, Path]]


def used_pictures(
    competition: Competition, predictions: Predictions, options: FusionBrainOptions
) -> dict[str, Path]:
    """Generated pictures, real ones, and those that captions are about."""
    pictures = Pictures(competition, predictions)
    found: dict[str, Path] = {}
    if GENERATION in competition.questions:
        found.update(_generated(pictures, published=options.published))
        found.update(_real(pictures))
    if CAPTIONING in competition.questions:
        found.update(_captioned(pictures, published=options.published))
    return found


def _generated(pictures: Pictures, *, published: bool) -> Named:
    questions = pictures.competition.questions[GENERATION]
    for pair in generation_pairs(questions, pictures.predictions, pictures, published=published):
        if pair.place.file is not None:
            yield f"generated/{pair.place.name}", pair.place.file


def _captioned(pictures: Pictures, *, published: bool) -> Named:
    questions = pictures.competition.questions[CAPTIONING]
    for pair in captioning_pairs(questions, pictures.predictions, pictures, published=published):
        if pair.place.file is not None:
            yield f"input/{pair.place.name}", pair.place.file


def _real(pictures: Pictures) -> Named:
    """What FID compares with; statistics are an input of their own."""
    place = real_place(pictures.competition, pictures)
    if isinstance(place, list):
        yield from ((f"real/{path.name}", path) for path in place)
    elif place is not None and place.is_dir():
        yield from ((f"real/{path.name}", path) for path in fid_pictures(place))
