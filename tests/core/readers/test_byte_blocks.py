"""Files are read in blocks up to their limits, and refused by name beyond them."""

from __future__ import annotations

import gzip
import os

import pytest

from jurydesk.core.execution.run import Run
from jurydesk.core.readers import unpacking_limits
from jurydesk.core.readers.byte_blocks import BLOCK, UnreadableBytesError, read_blocks


class Watched(Run):
    def __init__(self):
        super().__init__()
        self.steps = []

    def report(self, done, total, text=""):
        self.steps.append((done, total, text))


def refusal(path):
    with pytest.raises(UnreadableBytesError) as raised:
        b"".join(read_blocks(path, Run()))
    defect = raised.value.defect
    assert (defect.place.path, defect.place.line, defect.severity) == (str(path), 1, "error")
    return defect.found, defect.hint


@pytest.mark.parametrize("size", [0, 1, BLOCK, BLOCK + 1, 3 * BLOCK])
def test_a_file_is_read_whole_in_blocks_with_its_progress(tmp_path, size):
    path, run = tmp_path / "a.txt", Watched()
    path.write_bytes(os.urandom(size))
    blocks = list(read_blocks(path, run))
    assert b"".join(blocks) == path.read_bytes()
    assert max(map(len, blocks), default=0) <= BLOCK
    assert [step[1:] for step in run.steps] == [(size, "Reading a.txt")] * len(blocks)
    assert [done for done, _, _ in run.steps][-1:] == ([size] if size else [])


@pytest.mark.parametrize(("most", "ratio"), [("GZIP_BYTES", False), ("GZIP_RATIO_FROM", True)])
def test_what_unpacks_to_a_limit_is_read_and_more_is_refused(tmp_path, monkeypatch, most, ratio):
    path, content = tmp_path / "a.txt", bytes(4 * BLOCK)
    path.write_bytes(gzip.compress(content))
    monkeypatch.setattr(unpacking_limits, "GZIP_RATIO", 1)
    monkeypatch.setattr(unpacking_limits, "GZIP_RATIO_FROM", len(content))
    monkeypatch.setattr(unpacking_limits, most, len(content))
    assert b"".join(read_blocks(path, Run())) == content
    monkeypatch.setattr(unpacking_limits, most, len(content) - 1)
    found, hint = refusal(path)
    size = f"The gzip file of {path.stat().st_size:,} bytes unpacks to more than 1 times its size."
    assert found == (size if ratio else "The gzip file unpacks to more than 0.00048828 GiB.")
    assert hint == "Check that it is the right file; if it is, unpack it first."
    path.write_bytes(content)
    assert b"".join(read_blocks(path, Run())) == content


def test_what_cannot_be_read_is_said(tmp_path):
    path = tmp_path / "a.txt"
    assert refusal(path) == ("The file does not exist.", "Check its name and folder.")
    found = ("This is a folder, not a file.", "Give the file itself.")
    assert refusal(tmp_path) == found
    path.write_bytes(gzip.compress(b"x" * 99)[:-9])
    found = ("The gzip data is damaged (it ends too early).", "Compress the file again.")
    assert refusal(path) == found


def test_a_file_without_permission_and_a_pipe_are_said(tmp_path, monkeypatch):
    path = tmp_path / "a.txt"
    path.touch()

    def refuse(*_):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(type(path), "open", refuse)
    found = ("The file cannot be read: Permission denied.", "Check its permissions.")
    assert refusal(path) == found
    monkeypatch.setattr("jurydesk.core.readers.byte_blocks.is_pipe_or_device", lambda path: True)
    found = ("This is a pipe or a device, not a file.", "Save the data to a file first.")
    assert refusal(path) == found
