"""What a checker of predictions needs: the keys of every sub-task, and no accepted answer."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from core.defects import counted
from core.model import Json
from core.outline import Fact, Outline, items, text, texts, truth
from core.tasks.fusionbrain.competition import Competition, Question
from core.tasks.fusionbrain.subtasks import NAMES


def facts(competition: Competition) -> tuple[Fact, ...]:
    """The keys by sub-task, and whether other keys are refused."""
    keys = [[name, [one.key for one in some]] for name, some in competition.questions.items()]
    parts = (f"{counted(len(some), 'key')} of {name}" for name, some in keys)
    split = "ignored" if competition.is_split else "refused when published"
    return (
        Fact("keys", f"The keys of the sub-tasks: {', '.join(parts)}.", keys),
        Fact("is_split", f"That keys of no sub-task are {split}.", competition.is_split),
    )


def reference(values: Mapping[str, Json]) -> Competition:
    """The questions without what is asked and what is right."""
    questions: dict[str, tuple[Question, ...]] = {}
    for name, keys in (items(one) for one in items(values["keys"])):
        if text(name) not in NAMES:
            raise ValueError(f"there is no sub-task {name!r}")
        questions[name] = tuple(Question(name, key, ()) for key in texts(keys))
    return Competition(questions, True, truth(values["is_split"]), Path())


OUTLINE: Outline[Competition] = Outline(
    facts, reference, options=("profile",), scripts=("fusionbrain.js",)
)
