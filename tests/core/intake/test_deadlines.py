from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from jurydesk.core.intake.deadlines import (
    Deadline,
    TimeError,
    duration_text,
    local_zone,
    parse_deadline,
    parse_time,
    time_zone,
)


@pytest.mark.parametrize(
    ("text", "in_utc"),
    [
        ("2018-05-01 23:59 UTC", (2018, 5, 1, 23, 59)),
        ("2018-05-01 23:59 AoE", (2018, 5, 2, 11, 59)),
        ("2018-05-01 23:59 +02:00", (2018, 5, 1, 21, 59)),
        ("2018-05-01T23:59 UTC-5", (2018, 5, 2, 4, 59)),
        ("2018-05-01 AoE", (2018, 5, 2, 11, 59)),
        ("2018-07-01 12:00 Europe/Berlin", (2018, 7, 1, 10, 0)),
        ("2018-12-01 12:00 Europe/Berlin", (2018, 12, 1, 11, 0)),
    ],
)
def test_a_deadline_is_a_time_with_a_zone(text: str, in_utc: tuple[int, ...]) -> None:
    assert parse_deadline(text).moment == datetime(*in_utc, tzinfo=UTC)


def test_a_deadline_is_shown_as_it_was_written() -> None:
    assert str(parse_deadline("2018-05-01 AoE")) == "2018-05-01 23:59 AoE"
    assert str(Deadline(datetime(2018, 5, 1, 12), "Europe/Berlin")) == (
        "2018-05-01 12:00 Europe/Berlin"
    )


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("soon", "“soon” is not a deadline."),
        ("2018-05-01 23:59", "“2018-05-01 23:59” is not a deadline."),
        ("2018-13-01 23:59 UTC", "“2018-13-01 23:59” is not a valid date and time."),
        ("2018-05-01 23:59 Atlantis", "There is no time zone “Atlantis”."),
        ("2018-05-01 23:59 ../../etc/passwd", "There is no time zone “../../etc/passwd”."),
        ("2018-05-01 23:59 +25:00", "There is no time zone “+25:00”."),
    ],
)
def test_an_invalid_deadline_is_refused(text: str, sentence: str) -> None:
    with pytest.raises(TimeError) as reported:
        parse_deadline(text)
    assert str(reported.value).startswith(sentence)


def test_a_time_without_a_zone_uses_the_given_zone() -> None:
    assert parse_time("2018-05-01 12:00", time_zone("+02:00")) == datetime(
        2018, 5, 1, 10, tzinfo=UTC
    )
    assert parse_time("2018-05-01T12:00Z", time_zone("+02:00")) == datetime(
        2018, 5, 1, 12, tzinfo=UTC
    )


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (0, "0 s"),
        (59, "59 s"),
        (60, "1 min"),
        (7800, "2 h 10 min"),
        (7200, "2 h"),
        (86_400, "1 day"),
        (200_000, "2 days 7 h"),
    ],
)
def test_durations_are_written_in_words(seconds: int, words: str) -> None:
    assert duration_text(timedelta(seconds=seconds)) == words


@pytest.mark.parametrize("text", ["9999-12-31 23:59 AoE", "0001-01-01 00:00 +14:00"])
def test_the_limits_of_the_calendar_are_reported(text: str) -> None:
    sentence = "outside the supported range of dates"
    with pytest.raises(TimeError, match=sentence):
        parse_deadline(text)
    with pytest.raises(TimeError, match=sentence):
        parse_time(text, UTC)


def test_a_date_alone_can_exceed_the_limits_of_the_calendar_too() -> None:
    with pytest.raises(TimeError, match="outside the supported range of dates"):
        parse_deadline("9999-12-31 AoE")


def test_no_time_zone_is_more_than_14_hours_from_utc() -> None:
    assert time_zone("+14:00").utcoffset(None) == timedelta(hours=14)
    assert time_zone("-14").utcoffset(None) == -timedelta(hours=14)
    for name in ("+15:00", "+15", "+01:60"):
        with pytest.raises(TimeError):
            time_zone(name)


def test_the_zone_of_this_computer_is_that_of_its_local_times():
    now = datetime.now()
    assert now.replace(tzinfo=local_zone()).utcoffset() == now.astimezone().utcoffset()


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (61, "1 min"),
        (1, "1 s"),
        (3599, "59 min"),
        (3600, "1 h"),
        (3661, "1 h 1 min"),
        (86_399, "23 h 59 min"),
        (86_400 + 3599, "1 day"),
        (90_000, "1 day 1 h"),
        (2 * 86_400, "2 days"),
        (1000 * 86_400 + 3600, "1,000 days 1 h"),
    ],
)
def test_durations_have_their_two_largest_units(seconds: int, words: str) -> None:
    assert duration_text(timedelta(seconds=seconds)) == words


@pytest.mark.parametrize(
    ("name", "minutes"),
    [
        ("+2", 120),
        ("UTC+02:30", 150),
        ("gmt", 0),
        ("-0130", -90),
        ("GMT-14:59", -899),
        ("aoe", -720),
    ],
)
def test_an_offset_may_have_minutes_and_a_prefix(name: str, minutes: int) -> None:
    assert time_zone(name).utcoffset(None) == timedelta(minutes=minutes)
