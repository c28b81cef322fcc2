"""Which sentence a file in a wrong role gets: by the certainty of the guess."""

from __future__ import annotations

import zipfile
from dataclasses import replace

import pytest

from jurydesk.core.intake import role_check
from jurydesk.core.intake.file_signatures import (
    CERTAIN,
    MIN_CONFIDENCE,
    file_kind,
    foreign_file_type,
    own_file_type,
)
from jurydesk.core.intake.role_check import explain_reference_roles, explain_submission_role
from jurydesk.core.model.defects import Place, error, note, warning
from jurydesk.core.model.input_file import Sniff
from support.windows import toy_competition

TASK = toy_competition.TASK
OWN = TASK.submission_input()
SHARED = next(one for one in TASK.inputs if one.kind == "reference")


def guessing(role, confidence, **inputs):
    """Return the toy, which takes any file for one of a role with this confidence."""
    guess = Sniff(role, confidence) if role else None
    readers = replace(TASK.readers, sniff=lambda head: guess)
    changed = tuple(replace(one, **inputs) if one is OWN else one for one in TASK.inputs)
    return replace(TASK, readers=readers, inputs=changed)


def said(task, path, *defects):
    found = explain_submission_role(task, path, defects)
    return [(str(one.severity), one.found, one.hint) for one in found]


@pytest.fixture
def path(tmp_path):
    (tmp_path / "some.txt").write_text("some text")
    return tmp_path / "some.txt"


@pytest.mark.parametrize(
    ("confidence", "words"),
    [
        (MIN_CONFIDENCE - 0.01, ""),
        (MIN_CONFIDENCE, "may be"),
        (CERTAIN - 0.01, "may be"),
        (CERTAIN, "looks like"),
    ],
)
def test_a_guess_of_another_role_is_said_by_its_confidence(path, confidence, words):
    wrong = error(Place(str(path)), "Wrong.")
    found = said(guessing(SHARED.role, confidence), path, wrong)
    kept = ("error", "Wrong.", "")
    if not words:
        assert found == [kept]
        return
    sentence = (
        f"This {words} {SHARED.label}: it belongs to {SHARED.label} (--{SHARED.role}), "
        f"not to {OWN.label} (--{OWN.role})."
    )
    certain = words == "looks like"
    severity = "error" if certain else "warning"
    explained = (severity, sentence, role_check.HINT)
    assert found == ([explained] if certain else [explained, kept])


def test_a_file_that_was_read_gets_no_sentence(path):
    odd, other = warning(Place(str(path)), "Odd."), error(Place("other"), "Wrong.")
    task = guessing(SHARED.role, CERTAIN)
    assert said(task, path, odd, other) == [("warning", "Odd.", ""), ("error", "Wrong.", "")]
    assert said(guessing(OWN.role, 1.0), path, error(Place(str(path)), "Wrong.")) == [
        ("error", "Wrong.", "")
    ]
    also = guessing(SHARED.role, 1.0, also=(SHARED.role,))
    assert said(also, path, error(Place(str(path)), "Wrong.")) == [("error", "Wrong.", "")]


def test_defects_of_other_files_stay_beside_the_sentence(path):
    task, wrong = guessing(SHARED.role, 1.0), error(Place(str(path)), "Wrong.")
    found = said(task, path, error(Place("other"), "Also."), wrong)
    assert found[0][1] == "Also."
    assert len(found) == 2


def test_an_unread_submission_is_named_after_errors_of_shared_files(tmp_path, path):
    inputs = {OWN.role: [path], SHARED.role: [tmp_path / "none.txt"]}
    lost = error(Place(str(tmp_path / "none.txt")), "Lost.")
    for confidence, count in ((CERTAIN, 1), (CERTAIN - 0.01, 0)):
        task = guessing(SHARED.role, confidence)
        assert len(explain_reference_roles(task, inputs, [lost])) == 1 + count
        kind = note(Place(str(tmp_path / "none.txt")), "Fine.")
        assert explain_reference_roles(task, inputs, [kind]) == (kind,)


def test_a_path_that_is_missing_or_a_folder_is_told_once(tmp_path):
    gone, folder = tmp_path / "none.txt", tmp_path / "folder"
    folder.mkdir()
    found = explain_reference_roles(TASK, {SHARED.role: [gone, folder]}, [])
    assert [(one.place.path, one.found, one.hint) for one in found] == [
        (str(gone), "This does not exist.", "Check its name and folder."),
        (str(folder), "This is a folder, not a file.", f"Give --{SHARED.role} the right one."),
    ]
    nul = tmp_path / "a\0b"
    (odd,) = explain_reference_roles(TASK, {SHARED.role: [nul]}, [])
    assert odd.found == "This cannot be read: embedded null byte."


@pytest.mark.parametrize(
    ("content", "found", "hint"),
    [
        (b"\x80\x04", "This is a Python pickle, not a file of the competition.", "Opening a"),
        (b"%PDF-1", "This is a PDF document, not a file of the competition.", role_check.HINT),
        (b"PK\x03\x04xx", "office document, not a file of the competition.", role_check.UNPACK),
        (b"Rar!\x1a\x07", "This is a RAR archive, not a file", role_check.UNPACK),
        (b'{"format": "jurydesk packet"', "This is a packet of Jurydesk, not", role_check.HINT),
    ],
)
def test_a_foreign_file_is_named_with_what_to_do(path, content, found, hint):
    path.write_bytes(content)
    ((severity, sentence, advice),) = said(guessing("", 0), path, error(Place(str(path)), "Wrong."))
    assert severity == "error"
    assert found in sentence
    assert advice.startswith(hint)


def test_a_cut_npz_file_is_named(tmp_path):
    task = guessing("", 0, patterns=("*.npz",))
    path = tmp_path / "a.npz"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("mu.npy", b"x" * 100)
    wrong = error(Place(str(path)), "Wrong.")
    assert said(task, path, wrong) == [("error", "Wrong.", "")]
    path.write_bytes(path.read_bytes()[:80])
    found = "The .npz file is cut off: its end is missing."
    assert said(task, path, wrong) == [("error", found, "Copy or download it again.")]


@pytest.mark.parametrize(
    ("role", "confidence", "name", "kind"),
    [
        (OWN.role, MIN_CONFIDENCE, "a.x", "submission"),
        (OWN.role, MIN_CONFIDENCE - 0.01, "a.x", "other"),
        (OWN.role, MIN_CONFIDENCE - 0.01, "A.TXT", "maybe"),
        (SHARED.role, CERTAIN, "a.txt", "other"),
        (SHARED.role, CERTAIN - 0.01, "a.txt", "maybe"),
        ("", 0, "readme.txt", "other"),
        ("", 0, "LICENSE.txt", "other"),
        ("", 0, "a.md", "other"),
    ],
)
def test_a_file_is_a_submission_by_content_or_name(tmp_path, role, confidence, name, kind):
    (tmp_path / name).write_text("some text")
    task = guessing(role, confidence, patterns=("*.txt",))
    found, sentence = file_kind(task, tmp_path / name)
    assert found == kind
    assert bool(sentence) is (role == SHARED.role and confidence >= CERTAIN)


@pytest.mark.parametrize(
    ("head", "own"),
    [
        (b"SQLite format 3\0" + bytes(200), ""),
        (b'\xef\xbb\xbf {"format":"jurydesk answers"', "answers of Jurydesk"),
        (b'{"schema": 1, "short": ', "a stamp that Jurydesk wrote"),
        (b'{"schema": 1, "fid": ', "a result that Jurydesk wrote"),
        (b'{"title": "A \\" b", "task": "', "the list of files of one of Jurydesk's examples"),
        (b"system,profile,item,", "a table of items that Jurydesk wrote"),
        (b'{"title": "A", "other": "', ""),
    ],
)
def test_a_file_of_the_program_itself_is_known(head, own):
    assert own_file_type(head) == own


@pytest.mark.parametrize(
    ("head", "kind"),
    [
        (b"SQLite format 3\0", "an SQLite database"),
        (b"\x80\x02", "a Python pickle"),
        (b"\x80\x06", ""),
        (b"PK\x03\x04" + b"." * 26 + b"a/data.pkl", "a PyTorch file, which is a pickle"),
        (b"PK\x03\x04" + b"." * 244 + b"/data.pkl", "a zip archive or an office document"),
        (b"PK\x03\x04" + b"." * 26 + b"mu.npy", "a zip archive of NumPy arrays (.npz)"),
        (bytes(257) + b"ustar", "a tar archive"),
        (b" <!DOCTYPE  HTML>", "a web page"),
        (b"<html>", "a web page"),
        (b"<htmlx", ""),
    ],
)
def test_a_foreign_file_is_known_by_its_first_bytes(head, kind):
    assert foreign_file_type(head) == kind


def test_an_output_of_another_program_has_the_place_of_its_first_fault(path):
    path.write_text('[\n{"image_id": 1, "category_id": 2, "bbox": [], "score": 1}]')
    note_before = warning(Place(str(path), 1), "Odd.")
    faults = [error(Place(str(path), line, json_path=f"[{line}]"), "Wrong.") for line in (2, 3)]
    (told,) = explain_submission_role(guessing("", 0), path, (note_before, *faults))
    assert told.found.startswith("This is a list of COCO detections")
    assert told.place == faults[0].place
