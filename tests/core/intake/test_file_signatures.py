from __future__ import annotations

import gzip
import json
import pickle
from pathlib import Path

import pytest

from jurydesk.core.competition.examples import example_folder, example_inputs
from jurydesk.core.competition.task_registry import find_competition, registry
from jurydesk.core.desk import Desk
from jurydesk.core.execution.engine import score_submissions
from jurydesk.core.execution.run import Run
from jurydesk.core.export.results_json import encode_json, result_json
from jurydesk.core.intake.file_signatures import (
    file_kind,
    foreign_file_type,
    own_file_type,
    unread_advice,
)
from jurydesk.core.model.input_file import files_by_role
from jurydesk.core.participant_kit.kit import kit_bytes, make_kit
from jurydesk.core.readers.text_file import file_head
from jurydesk.core.system.paths import resources_folder
from support import toy
from support.examples import TASKS_WITH_EXAMPLE


@pytest.fixture
def result(tmp_path: Path) -> bytes:
    truth = toy.write(tmp_path / "truth.txt", {"a": 1.0, "b": 2.0})
    guesses = toy.write(tmp_path / "near.txt", {"a": 1.1, "b": 2.0})
    inputs = {"truth": [truth], "guesses": [guesses]}
    found = score_submissions(toy.TASK, files_by_role(inputs), toy.Options(), Run(), resamples=10)
    return encode_json(result_json("toy", "published", found))


def test_a_result_and_its_stamp_are_recognized_compressed_or_on_one_line(result: bytes) -> None:
    document = json.loads(result)
    stamp = json.dumps(document["systems"][0]["stamp"]).encode()
    one_line = json.dumps(document, separators=(",", ":")).encode()
    reported = "a result that Jurydesk wrote"
    assert (
        own_file_type(result)
        == own_file_type(one_line)
        == own_file_type(gzip.compress(result))
        == reported
    )
    assert own_file_type(b"\xef\xbb\xbf" + result) == reported
    assert own_file_type(stamp) == "a stamp that Jurydesk wrote"


def test_a_desk_is_recognized_and_another_database_is_not(tmp_path: Path) -> None:
    Desk.create(tmp_path / "a.jurydesk").close()
    assert own_file_type(file_head(tmp_path / "a.jurydesk")) == "a desk of Jurydesk"
    other = file_head(resources_folder() / "examples" / "fusionbrain" / "ruwordnet.db")
    assert (own_file_type(other), foreign_file_type(other)) == ("", "an SQLite database")


def test_a_kit_and_the_manifest_of_an_example_are_recognized() -> None:
    task = find_competition("vist")
    assert task is not None
    folder = resources_folder() / "examples" / "vist"
    inputs, options = example_inputs(task, folder), task.scoring.options()
    kit = make_kit(task, "", task.readers.read_references(inputs, options, Run()), options)
    assert own_file_type(kit_bytes(kit)) == "a participant kit of Jurydesk"
    example = own_file_type((folder / "example.json").read_bytes())
    assert example == "the list of files of one of Jurydesk's examples"


def test_an_items_table_is_recognized() -> None:
    reported = "a table of items that Jurydesk wrote"
    assert own_file_type(b"system,profile,item,meteor\nx,published,1,0.5\n") == reported
    assert (
        own_file_type(b'{"system": "x", "profile": "published", "item": "1", "meteor": 0.5}\n')
        == reported
    )


@pytest.mark.parametrize("name", TASKS_WITH_EXAMPLE)
def test_no_file_of_an_example_competition_is_mistaken_for_our_own(name: str) -> None:
    folder = example_folder(registry().tasks[name])
    assert folder is not None
    files = [path for kind in ("xml", "json", "csv") for path in sorted(folder.glob(f"*.{kind}"))]
    reported = {
        path.name: own_file_type(file_head(path)) for path in files if path.name != "example.json"
    }
    assert reported
    assert not any(reported.values())


@pytest.mark.parametrize(
    ("head", "kind"),
    [
        (b"%PDF-1.7\n", "a PDF document"),
        (b"PK\x03\x04\x14", "a zip archive or an office document"),
        (b"PK\x03\x04" + b"\0" * 26 + b"a.npy\x01\0", "a zip archive of NumPy arrays (.npz)"),
        (b"<!DOCTYPE html>\n<p>", "a web page"),
        (b"\n<HTML>", "a web page"),
        (gzip.compress(b"a" * 257 + b"ustar" + b"b" * 300, mtime=0), "a tar archive"),
        (b"[1, 2]", ""),
        (b"", ""),
        (b"\x1f\x8b", ""),
    ],
)
def test_other_file_types_are_recognized_by_their_first_bytes(head: bytes, kind: str) -> None:
    assert (foreign_file_type(head), own_file_type(head)) == (kind, "")


def test_an_unreadable_file_has_no_first_bytes(tmp_path: Path) -> None:
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    assert file_head(tmp_path) == file_head(tmp_path / "none") == b""
    assert file_head(tmp_path / "loop") == file_head(Path("/dev/null")) == b""


def test_our_own_files_are_refused_as_submissions(tmp_path: Path, result: bytes) -> None:
    task = find_competition("vist")
    assert task is not None
    path = tmp_path / "v.json"
    path.write_bytes(result)
    reported = "This is a result that Jurydesk wrote, not a submission."
    assert file_kind(task, path) == ("other", reported)


@pytest.mark.parametrize(
    ("head", "kind"),
    [
        (pickle.dumps({"a": 1}, 2), "a Python pickle"),
        (pickle.dumps({"a": 1}), "a Python pickle"),
        (b"PK\x03\x04" + b"\0" * 26 + b"model/data.pkl", "a PyTorch file, which is a pickle"),
        (b"\x89HDF\r\n\x1a\n", "an HDF5 file"),
    ],
)
def test_files_that_are_never_opened_are_named_with_what_to_do(head, kind) -> None:
    assert foreign_file_type(head) == kind
    assert unread_advice(kind)


def test_other_files_have_no_such_advice() -> None:
    assert unread_advice(foreign_file_type(b"%PDF-1.4")) == ""
    assert foreign_file_type(b"PK\x03\x04" + b"\0" * 40) == "a zip archive or an office document"
