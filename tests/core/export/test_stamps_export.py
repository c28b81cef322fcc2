"""Stamps are read back from exported files."""

from __future__ import annotations

import csv
import json

from jurydesk.core.export.stamps_export import read_stamps


def test_a_long_stamp_is_read_from_csv_and_does_not_change_the_global_field_limit():
    stamp = {"short": "toy|" + "x" * 200_000}
    cell = json.dumps(stamp).replace('"', '""')
    before = csv.field_size_limit()
    assert read_stamps(f'system,stamp\r\none,"{cell}"\r\ntwo,\r\n') == [stamp]
    assert csv.field_size_limit() == before
