"""Files compressed by bzip2 and xz are read as gzip is; damaged ones are named."""

from __future__ import annotations

import bz2
import gzip
import lzma
from collections.abc import Callable
from pathlib import Path

import pytest

from jurydesk.core.execution.run import Run
from jurydesk.core.readers.byte_blocks import UnreadableBytesError, read_blocks
from jurydesk.core.readers.text_file import file_head, read_text

TEXT = "".join(f"line {number}, é\n" for number in range(20_000))
PACKERS = {"gz": gzip.compress, "bz2": bz2.compress, "xz": lzma.compress}
Pack = Callable[[bytes], bytes]


@pytest.mark.parametrize("pack", PACKERS.values(), ids=PACKERS)
def test_a_compressed_file_is_read_whole_and_in_blocks(pack: Pack, tmp_path: Path) -> None:
    path = tmp_path / "a"
    half = len(TEXT) // 2
    path.write_bytes(pack(TEXT[:half].encode()) + pack(TEXT[half:].encode()))
    assert read_text(path).data == TEXT
    assert b"".join(read_blocks(path, Run())) == TEXT.encode()


@pytest.mark.parametrize("pack", [bz2.compress, lzma.compress])
def test_the_head_of_a_compressed_file_is_that_of_its_text(pack: Pack, tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes(pack(TEXT.encode()))
    assert TEXT.encode().startswith(file_head(path))
    assert len(file_head(path)) == 65536


@pytest.mark.parametrize("pack", [bz2.compress, lzma.compress])
@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda data: data[:-20], "The compressed data is damaged (it ends too early)."),
        (lambda data: data[:30] + bytes(40) + data[70:], "The compressed data is damaged ("),
        (lambda data: data + b"rest", "The compressed data is damaged ("),
    ],
)
def test_damaged_data_is_named(pack: Pack, change: Pack, said: str, tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes(change(pack(TEXT.encode())))
    (defect,) = read_text(path).defects
    assert defect.found.startswith(said)
    with pytest.raises(UnreadableBytesError, match="The compressed data is damaged"):
        list(read_blocks(path, Run()))
