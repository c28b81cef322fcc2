"""Encodings that a file's first line can name, and tags of a MiB."""

from __future__ import annotations

from pathlib import Path
from xml.parsers import expat

import pytest

from jurydesk.core.competition.task import Reading
from jurydesk.core.execution.run import Run
from jurydesk.core.tasks.keyword_spotting.icfhr import strict_reader
from jurydesk.core.tasks.keyword_spotting.icfhr.icfhr_reader import (
    read_word_judgements,
    read_word_results,
)
from jurydesk.core.tasks.keyword_spotting.icfhr.words import WordResults
from support.files.icfhr import judgements_text, results_text, word

MIB = 2**20


@pytest.fixture
def read(tmp_path: Path):
    gold = tmp_path / "gt.xml"
    gold.write_text(judgements_text({"a": [word(0)]}))
    judgements = read_word_judgements(gold, Run()).data
    assert judgements is not None

    def reading(content: bytes) -> Reading[WordResults]:
        path = tmp_path / "res.xml"
        path.write_bytes(content)
        return read_word_results(path, judgements, Run())

    return reading


def declared(encoding: str) -> bytes:
    body = results_text({"a": [word(0)]}).partition("?>")[2]
    return f'<?xml version="1.0"\n encoding="{encoding}"?>{body}'.encode()


ESCAPES = ("unicode_escape", "raw_unicode_escape", "charmap", "hz", "iso2022_jp", "rot13", "zlib")


@pytest.mark.parametrize(
    "encoding", ["nonsense", "gb2312", "utf-7", "utf-32", "idna", "hex", *ESCAPES]
)
def test_an_unreadable_encoding_is_reported_and_not_raised(read, encoding: str) -> None:
    reading = read(declared(encoding))
    assert reading.data is None
    assert [str(defect) for defect in reading.defects] == [
        "error  res.xml, line 2: The encoding that the first line names is unknown.\n"
        "       Save the file as UTF-8."
    ]


@pytest.mark.parametrize(
    "encoding", ["windows-1252", "latin1", "UTF8", "us-ascii", "koi8-r", "macintosh"]
)
def test_a_single_byte_encoding_is_read(read, encoding: str) -> None:
    assert read(declared(encoding)).data is not None


def test_an_error_in_a_handler_is_not_an_encoding_error(
    read, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise ValueError("ours")

    monkeypatch.setattr(strict_reader.StrictReader, "_begin_query", broken)
    with pytest.raises(ValueError, match="ours"):
        read(b"<?xml version='1.0'?>" + declared("utf-8").partition(b"?>")[2])


@pytest.mark.parametrize("before", [0, 1, MIB // 2])
def test_a_comment_of_a_mib_is_too_long(read, before: int) -> None:
    text = b" " * before + b"<!--" + b"y" * (2 * MIB - before) + b"-->"
    reading = read(text + results_text({"a": [word(0)]}).partition("?>")[2].encode())
    assert [defect.found for defect in reading.defects] == [
        "A tag or comment is longer than 1 MiB."
    ]


def defers_tags() -> bool:
    """Return whether Expat reports a tag later, and Python cannot stop that (Debian 12)."""
    parser, begun = expat.ParserCreate(), []
    if hasattr(parser, "SetReparseDeferralEnabled"):
        return False
    parser.StartElementHandler = lambda *tag: begun.append(tag)
    parser.Parse(b"<a" + b" " * 100, False)
    parser.Parse(b"/>", False)
    return not begun


def test_a_shorter_comment_can_be_anywhere(read) -> None:
    longest = MIB // 8 if defers_tags() else MIB
    body = results_text({"a": [word(0)]}).partition("?>")[2].encode()
    text = b" " * (MIB - 10) + b"<!--" + b"y" * (longest - 100) + b"-->" + body
    assert read(text).data is not None
