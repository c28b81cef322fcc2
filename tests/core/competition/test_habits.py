"""Files as people have them are scored like their clean twins, or refused with the right cause."""

from __future__ import annotations

import bz2
import io
import zipfile
from pathlib import Path

import numpy as np
import pytest

from jurydesk.core.model.defects import Defect, Place, Severity
from jurydesk.core.readers.numpy_file import read_numpy_file
from support.habits.attempts import attempts
from support.habits.habits import habits
from support.habits.sound_files import Outcome, SoundFile, scored, sound_files

SLOW = {"densecap", "captions", "fusionbrain"}


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> list[SoundFile]:
    return sound_files(tmp_path_factory.mktemp("sound"))


def test_no_habit_changes_a_score_in_silence_or_gets_a_wrong_diagnosis(
    files: list[SoundFile], tmp_path: Path
) -> None:
    quick = [one for one in files if one.task not in {*SLOW, "declared"}]
    tried = [
        (sound.name, habit.name, habit.judge(before, after, alone=sound.is_alone))
        for sound, habit, before, after, _ in attempts(quick, tmp_path, 60, 4)
    ]
    assert len({name for name, _, _ in tried}) > 10
    assert len({name for _, name, _ in tried}) > 20
    assert [one for one in tried if one[2] == "WRONG"] == []


def defect(severity: Severity, found: str) -> Defect:
    return Defect(severity, Place("a.json"), found)


@pytest.mark.parametrize(
    ("values", "defects", "verdict"),
    [
        ({"a": {"m": b"1"}}, [], "WRONG"),
        ({"a": {"m": b"1"}}, [defect(Severity.NOTE, "It was read.")], "equal, named"),
        ({"a": {"m": b"2"}}, [defect(Severity.NOTE, "It was read.")], "WRONG"),
        ({"a": {"m": b"2"}}, [defect(Severity.WARNING, "Byte 0xE9 is not UTF-8.")], "other, named"),
        ({}, [defect(Severity.ERROR, "The byte 0xE9 is not UTF-8.")], "refused"),
        ({}, [defect(Severity.ERROR, "The list is empty.")], "WRONG"),
    ],
)
def test_an_outcome_is_judged_by_its_score_and_its_words(values, defects, verdict):
    latin = next(one for one in habits() if one.name == "Latin-1")
    before, after = Outcome({"a": {"m": b"1"}}, ()), Outcome(values, tuple(defects))
    assert latin.judge(before, after) == verdict


def test_an_archive_that_holds_a_sound_file_is_called_an_archive(files, tmp_path):
    for name in ("region-captions annotations", "visdial-ranks dialogs", "vist submission"):
        sound = next(one for one in files if one.name == name)
        packed = tmp_path / f"{sound.path.name}.zip"
        with zipfile.ZipFile(packed, "w") as archive:  # stored: the text is readable inside
            archive.write(sound.path, sound.path.name)
        (told,) = [one for one in scored(sound.at(packed)).errors if one.place.path == str(packed)]
        assert told.found.startswith("This is a zip archive or an office document")
        assert told.hint.startswith("Unpack it first")


def test_a_compressed_array_is_called_compressed(tmp_path):
    saved = io.BytesIO()
    np.save(saved, np.eye(2))
    (tmp_path / "a.npy.bz2").write_bytes(bz2.compress(saved.getvalue()))
    (told,) = read_numpy_file(tmp_path / "a.npy.bz2").defects
    assert (told.found, told.hint) == ("The file is compressed by bzip2.", "Unpack it first.")
