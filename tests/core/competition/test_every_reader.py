"""One rule for every reader of every competition: what goes in is scored, refused or named."""

from __future__ import annotations

import functools
import shutil
import tempfile
from pathlib import Path

import pytest

from jurydesk.core.competition.task_registry import registry
from support.examples import TASKS_WITH_EXAMPLE
from support.habits.entries import Change, changes
from support.habits.sound_files import Outcome, SoundFile, scored, sound_files


@functools.cache
def files_of_all_roles() -> dict[str, SoundFile]:
    folder = Path(tempfile.mkdtemp(prefix="jurydesk-sound-"))
    return {one.name: one for one in sound_files(folder)}


@pytest.fixture(scope="module", autouse=True)
def written_files():
    yield
    written = {
        one.path for one in files_of_all_roles().values() if "jurydesk-sound" in str(one.path)
    }
    for path in written:
        shutil.rmtree(path.parent, ignore_errors=True)


def silence(sound: SoundFile, change: Change, before: Outcome, after: Outcome) -> str:
    """Return what is not said of a changed file."""
    if after.errors:
        return "" if any(one.place.path for one in after.errors) else "an error without a place"
    if after.says_more_than(before):
        return ""
    is_reference = sound.role != registry().tasks[sound.task].submission_input().role
    if after.values == before.values and after.shown == before.shown:
        return "" if change.is_of_texts and is_reference else "left out without a word"
    is_known_elsewhere = len(sound.inputs) > 1
    must_be_named = change.must_be_named == "always" or (change.must_be_named and not is_reference)
    if must_be_named and is_known_elsewhere and after.values != before.values:
        return "another score without a word"
    return ""


def test_every_role_of_a_file_is_tried():
    tried = {(one.task, one.role) for one in files_of_all_roles().values()}
    for name in TASKS_WITH_EXAMPLE:
        roles = {one.role for one in registry().tasks[name].inputs if one.kind != "folder"}
        assert {role for task, role in tried if task == name} >= roles - NOT_TRIED
        assert len(roles) > 1 or name == "table"


NOT_TRIED = {"query-set", "query-groups", "words", "stop-words"}
"""Lists of words that keyword spotting by overlap takes; `overlap` tests them."""


@pytest.mark.parametrize("name", sorted(files_of_all_roles()))
def test_what_goes_in_is_scored_refused_or_named(name: str, tmp_path: Path):
    sound = files_of_all_roles()[name]
    before, silent = scored(sound), []
    assert before.values
    for number, change in enumerate(changes(sound.path.read_bytes())):
        path = tmp_path / str(number) / sound.path.name
        path.parent.mkdir()
        path.write_bytes(change.content)
        if fault := silence(sound, change, before, scored(sound.at(path))):
            silent.append(f"{change.name}: {fault}")
    assert silent == []
