"""One rule for every reader of every competition: what goes in is scored, refused or named."""

from __future__ import annotations

from pathlib import Path

import pytest

from jurydesk.core.competition.task_registry import registry
from support.examples import TASKS_WITH_EXAMPLE
from support.habits.entries import Change, changes
from support.habits.sound_files import Outcome, SoundFile, scored, sound_files

FILES_OF_MORE = {"densecap image-data"}
"""Visual Genome's file of all images: entries beyond those of a competition are usual."""
ROLES = [
    f"{name} {entry.role}"
    for name in TASKS_WITH_EXAMPLE
    for entry in registry().tasks[name].inputs
    if entry.kind != "folder"
]


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> list[SoundFile]:
    return sound_files(tmp_path_factory.mktemp("sound"))


def silence(sound: SoundFile, change: Change, before: Outcome, after: Outcome) -> str:
    """Return what is not said of a changed file."""
    if after.errors:
        return "" if any(one.place.path for one in after.errors) else "an error without a place"
    if after.says_more_than(before):
        return ""
    if change.name.startswith("unknown") and f"{sound.task} {sound.role}" in FILES_OF_MORE:
        return ""
    is_reference = sound.role != registry().tasks[sound.task].submission_input().role
    if after.values == before.values and after.shown == before.shown:
        return "" if change.is_of_texts and is_reference else "left out without a word"
    is_known_elsewhere = len(sound.inputs) > 1
    must_be_named = change.must_be_named == "always" or (change.must_be_named and not is_reference)
    if must_be_named and is_known_elsewhere and after.values != before.values:
        return "another score without a word"
    return ""


@pytest.mark.parametrize("role", ROLES)
def test_what_goes_in_is_scored_refused_or_named(
    files: list[SoundFile], role: str, tmp_path: Path
) -> None:
    of_role = [one for one in files if f"{one.task} {one.role}" == role]
    assert of_role
    silent = []
    for sound in of_role:
        before = scored(sound)
        assert before.values
        for number, change in enumerate(changes(sound.path.read_bytes())):
            path = tmp_path / f"{sound.form}{number}" / sound.path.name
            path.parent.mkdir()
            path.write_bytes(change.content)
            if fault := silence(sound, change, before, scored(sound.at(path))):
                silent.append(f"{sound.name}, {change.name}: {fault}")
    assert silent == []
