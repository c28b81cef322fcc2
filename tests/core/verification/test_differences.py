"""Parts of a forged export are named so that their rows are found."""

from __future__ import annotations

from jurydesk.core.verification.differences import _index_by_number, _is_close


def test_rows_are_named_by_their_number_from_1_and_by_what_they_are_about():
    rows = [{"system": "a", "item": "i1", "value": 1}, {"value": 2}, {"system": "", "item": "i2"}]
    found = _index_by_number(rows)
    assert list(found) == ["row 1 (a, i1)", "row 2", "row 3 (i2)"]
    assert found["row 2"] == {"value": 2}


def test_a_whole_number_beyond_every_float_equals_nothing():
    assert not _is_close(10**400, 1.0)
    assert not _is_close(1.0, 10**400)
    assert _is_close(1.0, 1.0 + 1e-15)
