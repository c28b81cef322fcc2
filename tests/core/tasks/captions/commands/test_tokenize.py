from __future__ import annotations

import io
import sys
from pathlib import Path

import pytest

from jurydesk.core.cli import main


def test_tokens_are_written_as_utf_8_with_unix_line_ends(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Standard output may be of another encoding, and have the line ends of Windows."""
    (tmp_path / "a.txt").write_bytes("café\nnaïve\n".encode())
    written = io.BytesIO()
    stream = io.TextIOWrapper(written, encoding="latin-1", newline="\r\n")
    monkeypatch.setattr(sys, "stdout", stream)
    code = main(["tokenize", "--ptb", str(tmp_path / "a.txt")])
    stream.flush()
    assert (code, written.getvalue()) == (0, "café\nnaïve\n".encode())
