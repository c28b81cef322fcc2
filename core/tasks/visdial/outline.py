"""What a checker of answers needs of the reference sets: which questions have one, and no more."""

from __future__ import annotations

from collections.abc import Mapping

from core.defects import counted
from core.model import Json
from core.outline import Fact, Outline, items, whole
from core.tasks.visdial.dialogs import References, ReferenceSet


def facts(references: References) -> tuple[Fact, ...]:
    """The questions that need an answer."""
    questions = [list(question) for question in references.sets]
    asked = f"The image and the round of the {counted(len(questions), 'question')} with references."
    return (Fact("questions", asked, questions),)


def reference(values: Mapping[str, Json]) -> References:
    """Empty reference sets for the questions."""
    pairs = (items(one) for one in items(values["questions"]))
    return References({(whole(image), whole(n)): ReferenceSet(()) for image, n in pairs}, "")


OUTLINE: Outline[References] = Outline(facts, reference, scripts=("visdial.js",))
