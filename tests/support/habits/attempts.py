"""Changed files with the outcomes of their clean twins and of themselves."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from support.habits.habits import Habit, habits, varied
from support.habits.sound_files import Outcome, SoundFile, scored

ALLOWED = {
    "declared results": ("a table",),
    "densecap detections": ("the list alone",),
    "densecap parts annotations": ("texts in lists",),
    "keyword-spotting queries boxes": (
        *("JSON Lines", "texts in lists", "numbers as text", "whole numbers as fractions"),
        *("in the member results", "in the member predictions", "in the member data", "by id"),
    ),
}
"""Habits that the format of a role allows: lists of regions, ControlCap's of captions, tables."""
OF_ONE_TWIN = 8
"""Habits that are tried of one clean twin."""


def attempts(
    files: Sequence[SoundFile], folder: Path, count: int, seed: int
) -> Iterator[tuple[SoundFile, Habit, Outcome, Outcome, Path]]:
    """Yield `count` changed files with the outcomes of their clean twins and of themselves."""
    dice, made = random.Random(seed), 0
    while made < count:
        for sound in files:
            twin = sound.at(
                written(
                    folder / f"{made}-twin", sound.path.name, varied(sound.path.read_bytes(), dice)
                )
            )
            before = scored(twin)
            if before.errors:
                continue
            for habit in dice.sample(habits(), OF_ONE_TWIN):
                content = habit.change(twin.path.read_bytes())
                if content is None or content == twin.path.read_bytes() or made == count:
                    continue
                path = written(folder / str(made), sound.path.name + habit.ending, content)
                allowed = habit.name in ALLOWED.get(sound.name, ())
                tried = replace(habit, is_plain=True) if allowed else habit
                yield sound, tried, before, scored(sound.at(path)), path
                made += 1


def written(folder: Path, name: str, content: bytes) -> Path:
    """Write a file into a folder of its own, and return its path."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_bytes(content)
    return folder / name
