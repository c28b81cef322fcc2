"""Hostile ICFHR 2014 files."""

from __future__ import annotations

import gzip
import os
from pathlib import Path

import pytest

from jurydesk.core.execution.run import Run
from jurydesk.core.readers import unpacking_limits
from jurydesk.core.tasks.keyword_spotting.icfhr.icfhr_reader import read_word_judgements
from jurydesk.core.tasks.keyword_spotting.icfhr.words import Judgements
from support.defect_texts import defect_texts
from support.files.icfhr import (
    JUDGED,
    RANKED,
    read_listing,
    read_relevance,
)

LAUGHS = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 10))
BOMBS = {
    "billion laughs": f'<!DOCTYPE r [<!ENTITY l0 "lol">{LAUGHS}]><RelevanceListings>&l9;',
    "external entity": '<!DOCTYPE r [<!ENTITY x SYSTEM "file:///etc/passwd">]><r>&x;</r>',
    "external subset": '<!DOCTYPE r SYSTEM "http://localhost/x.dtd"><RelevanceListings/>',
    "parameter entity": '<!DOCTYPE r [<!ENTITY % p SYSTEM "file:///etc/passwd">%p;]><r/>',
}


class TestHostileFiles:
    @pytest.mark.parametrize("name", BOMBS)
    def test_a_document_type_is_refused_before_it_is_processed(
        self, name: str, tmp_path: Path, judgements: Judgements
    ) -> None:
        for defects in (
            read_relevance(tmp_path, BOMBS[name]).defects,
            read_listing(tmp_path, judgements, BOMBS[name]).defects,
        ):
            assert [(defect.place.line, defect.found) for defect in defects] == [
                (1, "A document type or entity declaration (<!DOCTYPE ...>) is not allowed.")
            ]

    @pytest.mark.parametrize("cut", range(1, len(RANKED) - 1, 7))
    def test_a_truncated_file_is_reported(
        self, cut: int, tmp_path: Path, judgements: Judgements
    ) -> None:
        reading = read_listing(tmp_path, judgements, RANKED[:cut])
        assert reading.data is None
        assert len(reading.defects) == 1

    def test_an_endless_tag_is_reported(self, tmp_path: Path, judgements: Judgements) -> None:
        text = '<RelevanceListings><Rel queryid="' + "y" * (4 * 2**20)
        assert defect_texts(read_listing(tmp_path, judgements, text).defects) == [
            "error  res.xml, line 1: A tag or comment is longer than 1 MiB.\n"
            "       Look for a missing quote or closing bracket; nothing after it was read."
        ]

    def test_an_archive_that_unpacks_without_end_is_reported(
        self, tmp_path: Path, judgements: Judgements, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(unpacking_limits, "GZIP_BYTES", 2**21)
        packed = gzip.compress(b"<RelevanceListings>" + b"\n" * 2**24)
        assert defect_texts(read_listing(tmp_path, judgements, packed).defects) == [
            "error  res.xml, line 1: The gzip file unpacks to more than 0.00195312 GiB.\n"
            "       A result file is far smaller. "
            "Check that it is the right file; if it is, unpack it first."
        ]

    def test_an_archive_that_unpacks_to_a_hundred_times_its_size_is_reported(
        self, tmp_path: Path, judgements: Judgements, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        packed = gzip.compress(RANKED.encode() + b"\n" * 2**20)
        monkeypatch.setattr(unpacking_limits, "GZIP_RATIO_FROM", 2**21)
        assert read_listing(tmp_path, judgements, packed).defects == ()
        monkeypatch.setattr(unpacking_limits, "GZIP_RATIO_FROM", 2**19)
        assert defect_texts(read_listing(tmp_path, judgements, packed).defects) == [
            f"error  res.xml, line 1: The gzip file of {len(packed):,} bytes unpacks to more than "
            "100 times its size.\n"
            "       A result file is far smaller. "
            "Check that it is the right file; if it is, unpack it first."
        ]

    def test_an_archive_of_a_large_file_is_read(
        self, tmp_path: Path, judgements: Judgements
    ) -> None:
        packed = gzip.compress(RANKED.encode() + b"\n" * 2**20)
        assert read_listing(tmp_path, judgements, packed).defects == ()

    def test_a_damaged_archive_is_reported(self, tmp_path: Path, judgements: Judgements) -> None:
        packed = bytearray(gzip.compress(RANKED.encode()))
        for damaged in (packed[:-12], packed[:20] + b"\xff\xff" + packed[22:]):
            (defect,) = read_listing(tmp_path, judgements, bytes(damaged)).defects
            assert defect.found.startswith("The gzip data is damaged (")
            assert defect.hint == "Compress the file again."

    def test_a_folder_is_reported(self, tmp_path: Path) -> None:
        assert defect_texts(read_word_judgements(tmp_path, Run()).defects) == [
            f"error  {tmp_path.name}, line 1: This is a folder, not a file.\n"
            "       Give the file itself."
        ]

    def test_a_missing_file_is_reported(self, tmp_path: Path) -> None:
        assert defect_texts(read_word_judgements(tmp_path / "none.xml", Run()).defects) == [
            "error  none.xml, line 1: The file does not exist.\n       Check its name and folder."
        ]

    def test_a_file_without_permission_is_reported(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        path = tmp_path / "gt.xml"
        path.write_text(JUDGED)

        def refuse(*_: object, **__: object) -> None:
            raise PermissionError(13, "Permission denied", str(path))

        monkeypatch.setattr(Path, "open", refuse)
        assert defect_texts(read_word_judgements(path, Run()).defects) == [
            "error  gt.xml, line 1: The file cannot be read: Permission denied.\n"
            "       Check its permissions."
        ]

    @pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="pipes have no names here")
    def test_reading_a_pipe_does_not_block(self, tmp_path: Path) -> None:
        os.mkfifo(tmp_path / "pipe")
        assert defect_texts(read_word_judgements(tmp_path / "pipe", Run()).defects) == [
            "error  pipe, line 1: This is a pipe or a device, not a file.\n"
            "       Save the data to a file first."
        ]
