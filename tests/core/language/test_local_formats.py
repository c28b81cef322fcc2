"""Lists and dates in English and Russian, whatever the locale of the system."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from jurydesk.core.language.local_formats import local_date, local_moment, stored_moment
from support.language import shown_in

NOON = datetime(2026, 5, 3, 12, 0)


@pytest.mark.parametrize(
    ("when", "english", "russian"),
    [
        (datetime(2026, 5, 3, 9, 5), "today 09:05", "сегодня, 09:05"),
        (datetime(2026, 5, 2, 23, 59), "yesterday 23:59", "вчера, 23:59"),
        (datetime(2026, 1, 9), "9 January", "9 января"),
        (datetime(2024, 1, 9), "9 January 2024", "9 января 2024"),
    ],
)
def test_recent_and_old_times_have_their_own_formats(when, english, russian):
    assert local_moment(when, NOON) == english
    with shown_in("ru"):
        assert local_moment(when, NOON).replace("\u00a0", " ") == russian


def test_a_date_has_its_year_if_that_is_another_one():
    assert local_date(NOON, NOON) == "3 May"
    assert local_date(NOON, datetime(2027, 5, 3)) == "3 May 2026"


@pytest.mark.parametrize("text", ["", "yesterday", "2024-13-01", "0001-01-01T00:00:00", "<b>"])
def test_a_stored_text_that_is_no_time_has_no_moment(text):
    assert stored_moment(text) is None


def test_a_stored_time_is_in_the_local_zone():
    found = stored_moment("2024-05-03T10:00:00+00:00")
    assert found == datetime(2024, 5, 3, 10, tzinfo=UTC)
    assert found.utcoffset() == found.replace(tzinfo=None).astimezone().utcoffset()
