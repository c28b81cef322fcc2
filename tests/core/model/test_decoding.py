"""Files of strangers with values of a strange kind: each reader answers with a sentence."""

from __future__ import annotations

import gzip
import json
import sqlite3

import numpy as np
import pytest

from jurydesk.core.desk import Desk, DeskError
from jurydesk.core.desk.tables.submission_table import read_submissions
from jurydesk.core.execution.sharded_jobs.manifest import FILE, JobError, read_manifest
from jurydesk.core.execution.sharded_jobs.shard_file import DamagedFileError, Parcel
from jurydesk.core.metrics.meteor.language_data.build_index import (
    ParaphrasesUnusable,
    read_paraphrase_table,
)
from jurydesk.core.model.chunk_codec import DamagedBundleError, pack_dataclass, unpack_dataclass
from jurydesk.core.model.decoding import whole_number
from jurydesk.core.model.evaluation import Source
from jurydesk.core.model.json_text import parse_json
from jurydesk.core.participant_kit.kit import FORMAT, VERSION, KitError, read_kit

DEEP = "[" * 100_000
STRANGE = ([], {}, None, 7, "x", True, [[]], {"a": {}}, 1e308, [None])


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (DEEP, "nested too deeply"),
        ("[" * 200 + "]" * 200, "nested too deeply"),
        ("[NaN]", "is not a JSON value"),
        ("[" + "9" * 10_000 + "]", "digits"),
        (b"\xff", "decode"),
        ('{"a": 1, "a": 2}', "the member 'a' twice"),
    ],
    ids=["deep", "nested", "nan", "digits", "bytes", "twice"],
)
def test_json_of_strangers_has_one_kind_of_error(text, reason):
    with pytest.raises(ValueError, match=reason):
        parse_json(text, unique=True)


@pytest.mark.parametrize("value", STRANGE, ids=repr)
@pytest.mark.parametrize("member", ["options", "facts", "unable", "task", "title", "program"])
def test_a_kit_with_a_member_of_another_kind_is_read_or_refused(tmp_path, member, value):
    document = {"format": FORMAT, "version": VERSION, "title": "A", "task": "captions"}
    document |= {"program": "1", "options": {}, "facts": [], "unable": [], member: value}
    path = tmp_path / "kit.jurycomp"
    path.write_text(json.dumps(document))
    with pytest.raises(KitError, match=r"kit.jurycomp is (not a participant kit|damaged)"):
        read_kit(path)  # the hash of none is right


@pytest.mark.parametrize("text", [DEEP, "[]", "{}", '{"schema": true}', '{"schema": 1, "x": []}'])
def test_a_manifest_of_another_kind_is_refused(tmp_path, text):
    (tmp_path / FILE).write_text(text)
    with pytest.raises(JobError, match="is not a manifest"):
        read_manifest(tmp_path)


def test_a_shard_that_is_no_archive_is_refused(tmp_path):
    path = tmp_path / "one.shard"
    path.write_bytes(b"PK\x05\x06" + b"\xff" * 18)
    with pytest.raises(DamagedFileError):
        Parcel(path)


def test_a_shape_of_gigabytes_in_a_small_bundle_is_refused(monkeypatch):
    def allocate(*_: object, **__: object) -> None:
        raise MemoryError

    content = pack_dataclass(Source("a", "b", 1, "c"))
    monkeypatch.setattr(np, "load", allocate)
    with pytest.raises(DamagedBundleError):
        unpack_dataclass(Source, content)


TABLE = gzip.compress(b"0.5\nle chat\nun chat\n" * 500)


@pytest.mark.parametrize("content", [TABLE[:40], TABLE[:-6], TABLE[:20] + b"??" + TABLE[22:]])
def test_a_damaged_table_of_paraphrases_is_refused(tmp_path, content):
    path = tmp_path / "table.gz"
    path.write_bytes(content)
    with pytest.raises(ParaphrasesUnusable, match=r"is damaged|ends within|do not follow"):
        read_paraphrase_table(path)


@pytest.mark.parametrize("value", ["yesterday", "2026-13-01", "0", "99999-01-01T00:00:00Z"])
def test_a_time_that_is_none_is_damage_of_the_desk(tmp_path, value):
    path = tmp_path / "a.jurydesk"
    Desk.create(path).close()
    with sqlite3.connect(path) as connection:
        columns = [row[1] for row in connection.execute("PRAGMA table_info(submission)")]
        texts = dict.fromkeys(columns, "x") | {"id": 1, "size": 1, "files": 1, "received": value}
        marks = ", ".join("?" * len(columns))
        row = [texts[name] for name in columns]
        connection.execute(f"INSERT INTO submission VALUES ({marks})", row)
    connection.close()
    with Desk.open(path, read_only=True) as desk, pytest.raises(DeskError, match="submission"):
        read_submissions(desk)


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("007", 7),
        (str(2**63 - 1), 2**63 - 1),
        ("9" * 5000, None),
        ("²", None),
        ("٣", None),
        ("", None),
    ],
)
def test_ids_of_64_bits_are_numbers_and_odd_or_longer_digits_are_none(text, number):
    assert whole_number(text) == number
