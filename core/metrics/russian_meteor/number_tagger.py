"""NLTK's part-of-speech tagger, for the recognition of cardinal numbers.

The published program uses it to find numbers in answers. Without its data, tokens that start with
a digit count as numbers, which is equivalent for all that `float` can read except `nan` and `inf`.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from jurydesk.core.language import fill
from jurydesk.core.model.evaluation import Json, ResourceMissing
from jurydesk.core.model.json_text import parse_json

if TYPE_CHECKING:
    from jurydesk.core.metrics.russian_meteor.caption_words import NumberTagger

NAME = "averaged_perceptron_tagger_eng"
PARTS = ("weights", "tagdict", "classes")
CARDINAL = "CD"


def perceptron_numbers(data: Path) -> NumberTagger:
    """Load the tagger from the JSON files of a folder `nltk_data`, never from pickles.

    Raises ResourceMissing if a file is missing or damaged.
    """
    from nltk.tag.perceptron import PerceptronTagger

    weights, known, classes = (_read_part(data, part) for part in PARTS)
    tagger = PerceptronTagger(load=False)
    tagger.model.weights, tagger.tagdict = weights, known
    tagger.classes = tagger.model.classes = set(classes)

    def numbers(words: Sequence[str]) -> list[bool]:
        return [tag == CARDINAL for _, tag in tagger.tag(list(words))]

    return numbers


def tagger_files(data: Path) -> tuple[Path, ...]:
    """Return the tagger's data files."""
    return tuple(data / "taggers" / NAME / f"{NAME}.{part}.json" for part in PARTS)


def _read_part(data: Path, part: str) -> Json:
    path = data / "taggers" / NAME / f"{NAME}.{part}.json"
    expected = dict if part != "classes" else list
    try:
        content = parse_json(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as fault:
        raise ResourceMissing(
            fill("nltk_data: {path} cannot be read ({fault}).", path, fault)
        ) from fault
    if not isinstance(content, expected) or (not content and part != "tagdict"):
        raise ResourceMissing(fill("nltk_data: {path} is not what NLTK's tagger writes.", path))
    return content
