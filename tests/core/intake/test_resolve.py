"""The rules for submissions, one by one and exactly at their limits."""

from __future__ import annotations

import itertools
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from jurydesk.core.intake.deadlines import parse_deadline
from jurydesk.core.intake.resolve import (
    changed_later_defects,
    disagreeing_defects,
    missing_zone_defect,
    moved_defects,
    moved_warning,
    resolution_defects,
    resolve_names,
    undecided_defects,
    unlisted_defects,
)
from jurydesk.core.intake.submission import IntakeRules
from jurydesk.core.model.defects import Place
from jurydesk.core.model.input_file import InputFile
from jurydesk.core.model.platform_entry import PlatformEntry

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
RULES = IntakeRules(parse_deadline("2026-03-01 12:00 UTC"))
TICK, MINUTE, HOUR, DAY = (
    timedelta(microseconds=1),
    timedelta(minutes=1),
    timedelta(hours=1),
    timedelta(days=1),
)


def file(path: str, at: datetime | None = NOON, **known) -> InputFile:
    parts = tuple(path.split("/"))
    values = {"team": parts[0], "size": 9, "sha256": path, "changed": at, **known}
    return InputFile(Path("/in", path), parts=parts, **values)


def entry(path: str, key: str, at: datetime | None = None, known="exact", **more) -> InputFile:
    of_entry = {name: more.pop(name) for name in ("phase", "phase_id", "details") if name in more}
    found = PlatformEntry("P", key, received=at, received_known=known if at else "", **of_entry)
    return file(path, None, entry=found, **more)


def resolved(*given: InputFile, rules: IntakeRules = RULES) -> dict[str, InputFile]:
    """Return the files by their path; the order in which they were given never matters."""
    found = resolve_names(given, rules)
    assert [one.path for one in found] == [one.path for one in given]
    for order in itertools.permutations(given) if len(given) < 4 else ():
        assert set(map(str, resolve_names(order, rules))) == set(map(str, found))
    return {"/".join(one.parts): one for one in found}


def replaced(*given: InputFile, rules: IntakeRules = RULES) -> dict[str, str]:
    found = resolved(*given, rules=rules)
    return {path: one.counts_instead for path, one in found.items() if one.counts_instead}


def said(defects) -> list[tuple[str, str, str, str, str, int]]:
    return [
        (str(one.severity), one.place.path, one.found, one.expected, one.hint, one.count)
        for one in defects
    ]


def listed(**times: datetime) -> IntakeRules:
    return IntakeRules(RULES.deadline, received=times, received_list="/times.csv")


@pytest.mark.parametrize(
    ("at", "late"),
    [(NOON - TICK, None), (NOON, None), (NOON + TICK, TICK), (NOON + DAY, DAY), (None, None)],
)
def test_a_file_is_late_from_the_first_moment_after_the_deadline(at, late):
    assert resolved(file("a/r", at))["a/r"].late == late
    assert resolved(file("a/r", at), rules=IntakeRules())["a/r"].late is None


def test_the_list_s_time_counts_before_that_of_a_platform_and_this_before_that_of_the_file():
    given = [
        file("a/r", NOON),
        entry("b/r", "7", NOON + HOUR, changed=NOON),
        entry("c/r", "8", changed=NOON),
        entry("d/r", "9", NOON + HOUR),
    ]
    found = resolved(*given, rules=listed(a=NOON - DAY, d=NOON - HOUR))
    times = {path: one.received for path, one in found.items()}
    assert times == {"a/r": NOON - DAY, "b/r": NOON + HOUR, "c/r": None, "d/r": NOON - HOUR}


@pytest.mark.parametrize("names", [*itertools.permutations(["a/b/r", "r", "a", "team"], 2)])
def test_of_several_names_in_the_list_the_surest_counts(names):
    order = ["a/b/r", "r", "a", "team"]
    first, second = sorted(names, key=order.index)
    rules = listed(**{first: NOON - HOUR, second: NOON - DAY})
    assert resolved(file("a/b/r", team="team"), rules=rules)["a/b/r"].received == NOON - HOUR


def test_of_a_team_s_files_of_one_name_the_newest_in_time_counts():
    old, new = file("a/1/r", NOON - HOUR), file("a/0/r", NOON)
    assert replaced(old, new) == {"a/1/r": "a/0/r"}
    assert replaced(old, file("a/0/s", NOON)) == {}
    assert replaced(old, file("b/0/r", NOON)) == {}
    assert replaced(file("a/1/r"), file("a/0/r")) == {"a/0/r": "a/1/r"}  # at once: the last name
    latest = IntakeRules(RULES.deadline, latest=True)
    assert replaced(old, file("a/0/s", NOON), rules=latest) == {"a/1/r": "a/0/s"}
    assert replaced(old, file("b/0/r", NOON), rules=latest) == {}


def test_a_late_file_replaces_a_late_one_alone():
    late, later = file("a/1/r", NOON + TICK), file("a/2/r", NOON + HOUR)
    assert replaced(late, file("a/0/r", NOON)) == {"a/1/r": "a/0/r"}
    assert replaced(late, later) == {"a/1/r": "a/2/r"}


def test_entries_are_several_submissions_unless_the_latest_of_each_phase_counts():
    latest = IntakeRules(RULES.deadline, latest=True)
    one, two = entry("a/1/r", "9", NOON - DAY), entry("a/2/r", "10", NOON - DAY)
    assert replaced(one, two) == {}
    assert replaced(one, two, rules=latest) == {"a/1/r": "a/2/r"}  # by number, not by letters
    first, other = entry("a/1/r", "9", NOON, phase="x"), entry("a/2/r", "10", NOON, phase="y")
    assert replaced(first, other, rules=latest) == {}
    first, other = entry("a/1/r", "9", NOON, phase_id="1"), entry("a/2/r", "8", NOON, phase_id="1")
    assert replaced(first, other, rules=latest) == {"a/2/r": "a/1/r"}
    owners = ({"team_id": "1"}, {"team_id": "2"})
    teams = [entry(f"a/{n}/r", n, NOON, details=one) for n, one in zip("12", owners, strict=True)]
    assert replaced(*teams, rules=latest) == {}


def test_a_file_without_a_time_is_older_than_any():
    assert replaced(file("a/1/r", None), file("a/0/r", NOON)) == {"a/1/r": "a/0/r"}


def test_copies_of_another_team_are_marked_with_the_earliest():
    same = {"sha256": "same"}
    found = resolved(file("b/r", NOON - HOUR, **same), file("a/r", **same), file("c/r", **same))
    assert {path: one.twin for path, one in found.items()} == {"b/r": "", "a/r": "b", "c/r": "b"}
    found = resolved(file("b/r", **same), file("a/r", **same))
    assert {path: one.twin for path, one in found.items()} == {"b/r": "a", "a/r": ""}
    found = resolved(file("a/r", **same), file("a/s", **same))
    assert {one.twin for one in found.values()} == {""}
    for nothing in ({"size": 0}, {"sha256": ""}):
        found = resolved(file("a/r", **same | nothing), file("b/r", **same | nothing))
        assert {one.twin for one in found.values()} == {""}
    found = resolved(file("a/r", None, **same), file("b/r", **same))
    assert found["b/r"].twin == "a"


def test_names_are_the_team_s_or_tell_its_files_apart():
    given = [file("a/r.txt"), file("b/r.txt"), file("b/s.txt"), file("only.txt", team="only")]
    names = {path: one.system for path, one in resolved(*given).items()}
    assert names == {"a/r.txt": "a", "b/r.txt": "b (r)", "b/s.txt": "b (s)", "only.txt": ""}
    given = [entry("b/x/r.txt", "7"), entry("b/y/r.txt", "8")]
    assert [one.system for one in resolved(*given).values()] == ["b (7)", "b (8)"]
    given = [file("b/1/r.txt", NOON - HOUR), file("b/2/r.txt")]
    assert {path: one.system for path, one in resolved(*given).items()} == {
        "b/1/r.txt": "",
        "b/2/r.txt": "b",
    }


def test_what_the_rules_found_is_said_of_each_file():
    same = {"sha256": "same"}
    given = resolved(
        file("a/r", NOON - DAY, **same),
        file("b/1/r", NOON - HOUR),
        file("b/2/r"),
        file("c/r", NOON + 2 * HOUR, **same),
        file("A/r", NOON - HOUR),
        entry("d/r", "7", NOON + DAY, known="day"),
    )
    alike, apart = "The teams A, a differ in capital letters only.", "as different teams."
    scored = "It is scored, and marked as late."
    assert said(resolution_defects(list(given.values()))) == [
        (
            *("note", "/in/b/1/r", "This submission of b is not its newest in time."),
            *("", "b/2/r counts instead.", 1),
        ),
        ("warning", "/in/c/r", "c was received 2 h after the deadline.", scored, "", 1),
        (
            *("warning", "/in/c/r", "c has the same content as a, byte for byte."),
            *("Both are scored.", "Ask the teams which one is whose.", 1),
        ),
        ("warning", "/in/d/r", "d was received at least 1 day after the deadline.", scored, "", 1),
        ("warning", "/in/a/r", alike, f"They are treated {apart}", "", 1),
    ]


def test_names_of_the_list_and_files_without_the_other_are_said_once():
    given = [file("north/r"), file("south/r"), entry("east/r", "7", NOON), entry("west/r", "8")]
    rules = listed(nort=NOON, south=NOON, xyz=NOON, before=NOON)
    lacking, unlisted = "which has no submission.", "is not in the list of times."
    unused = "Its time is not used."
    own, theirs = "The time of its file is used, which the team can change.", "The platform's time"
    assert said(unlisted_defects(given, rules, [file("before/r"), InputFile(Path("/x"))])) == [
        (
            *("warning", "/times.csv", f"The list of times names nort, {lacking}", unused),
            *("Is it north?", 1),
        ),
        ("warning", "/times.csv", f"The list of times names xyz, {lacking}", unused, "", 1),
        ("warning", "/in/north/r", f"north {unlisted}", own, "Is it nort?", 1),
        ("warning", "/in/west/r", f"west {unlisted}", own, "", 1),
        ("warning", "/in/east/r", f"east {unlisted}", f"{theirs} is used.", "", 1),
    ]
    assert said(unlisted_defects(given, IntakeRules())) == []
    no_path = IntakeRules(received={"xyz": NOON})
    first = next(unlisted_defects([file("a/r")], no_path))
    assert first.place == Place("/in/a/r")
    (only,) = unlisted_defects([], no_path)
    assert only.place == Place("")


@pytest.mark.parametrize(("count", "rest"), [(10, 0), (11, 1), (13, 3)])
def test_of_many_unlisted_files_the_first_ten_have_a_sentence(count, rest):
    given = [file(f"{n:02}qq{n:02}/r") for n in range(count)]
    found = said(unlisted_defects(given, listed(zzzzzz=NOON)))[1:]
    assert len(found) == 10 + bool(rest)
    assert [one[2].split()[0] for one in found[:10]] == [one.team for one in given[:10]]
    if rest:
        names = ", ".join(one.team for one in given[10:])
        left = f"{rest} name{'s' * (rest > 1)} as well: {names}."
        own = "The time of its file is used, which the team can change."
        assert found[-1] == ("warning", "/in/10qq10/r", left, own, "", rest)


@pytest.mark.parametrize(
    ("known", "gap", "differ"),
    [
        ("exact", MINUTE - TICK, ""),
        ("exact", MINUTE, "1 min"),
        ("exact", -MINUTE, "1 min"),
        ("exact", -MINUTE + TICK, ""),
        ("day", timedelta(0), ""),
        ("day", DAY, ""),
        ("day", DAY + MINUTE - TICK, ""),
        ("day", DAY + MINUTE, "1 min"),
        ("day", -MINUTE, "1 min"),
        ("day", -MINUTE + TICK, ""),
    ],
)
def test_the_list_and_the_platform_disagree_from_a_minute_on(known, gap, differ):
    (given,) = resolved(entry("a/r", "7", NOON, known), rules=listed(a=NOON + gap)).values()
    text = f"a: the list of times and the platform differ by {differ}."
    used = "The time of the list is used."
    expected = [("warning", "/in/a/r", text, used, "", 1)] if differ else []
    assert said(disagreeing_defects([given, file("b/r"), entry("c/r", "1")])) == expected


@pytest.mark.parametrize(("count", "rest"), [(10, 0), (11, 1), (12, 2)])
def test_of_many_times_that_disagree_the_first_ten_have_a_sentence(count, rest):
    given = [entry(f"t{n:02}/r", "7", NOON, received=NOON - HOUR) for n in range(count)]
    found = said(disagreeing_defects(given))
    assert len(found) == 10 + bool(rest)
    assert [one[1] for one in found] == [str(one.path) for one in given[: 10 + bool(rest)]]
    if rest:
        names = ", ".join(one.team for one in given[10:])
        assert found[-1][2:] == (f"{rest} name{'s' * (rest > 1)} as well: {names}.", "", "", rest)


@pytest.mark.parametrize(
    ("listed_at", "changed", "told"),
    [
        (NOON, NOON + MINUTE, True),
        (NOON - MINUTE, NOON, False),
        (NOON, NOON + MINUTE - TICK, False),
        (NOON - MINUTE, NOON + TICK, True),
        (NOON + TICK, NOON + HOUR, False),
    ],
)
def test_a_file_that_changed_after_its_listed_time_and_the_deadline_is_told(
    listed_at, changed, told
):
    rules = listed(a=listed_at, b=listed_at)
    given = [file("a/r", changed), entry("b/r", "7", NOON, changed=changed), file("c/r", None)]
    found = list(resolved(*given, rules=rules).values())
    text = "1 submission timely by the list, late by file times: a."
    used, hint = "The time of the list is used.", "Copying may have set those times."
    expected = [("warning", "/in/a/r", text, used, hint, 1)] if told else []
    assert said(changed_later_defects(found, rules)) == expected


def test_entries_whose_exact_times_moved_are_told_in_order():
    def before(key: str, at: datetime, known: str = "exact") -> InputFile:
        return entry(f"{key}/r", key, at, known)

    now = [before(key, NOON) for key in "cab"] + [file("d/r")]
    known = {one.path: before(one.team, NOON - HOUR) for one in now[:3]} | {now[3].path: now[3]}
    text = "3 entries with several times in the tables: a, b, c."
    used, hint = "The time that was read last is used.", "Give the right table alone."
    assert said(moved_defects(now, known)) == [("warning", "/in/c/r", text, used, hint, 3)]
    other = PlatformEntry("Q", "a", received=NOON - HOUR, received_known="exact")
    path = now[1].path
    for one in (
        before("a", NOON),
        before("a", NOON - HOUR, "day"),
        before("z", NOON - HOUR),
        file("a/r"),
        InputFile(path, entry=other),
    ):
        assert said(moved_defects(now[1:2], {path: one})) == []
    assert moved_warning(Place("x"), ["b"]).found == "1 entry with several times in the tables: b."


@pytest.mark.parametrize(
    ("at", "known", "is_open"),
    [
        (None, "", True),
        (NOON, "exact", False),
        (NOON, "day", True),
        (NOON - DAY + TICK, "day", True),
        (NOON - DAY, "day", False),
        (NOON + TICK, "day", False),
    ],
)
def test_a_day_that_does_not_decide_about_the_deadline_is_told(at, known, is_open):
    found = list(resolved(entry("a/r", "7", at, known), file("b/r")).values())
    text = "1 entry whose times do not decide about the deadline: a."
    hint = "Give the platform's table of submissions with --records."
    expected = [("warning", "/in/a/r", text, "They count as timely.", hint, 1)] if is_open else []
    assert said(undecided_defects(found, RULES)) == expected
    assert said(undecided_defects(found, IntakeRules())) == []
    listed_now = list(resolved(entry("a/r", "7", at, known), rules=listed(a=NOON - HOUR)).values())
    assert said(undecided_defects(listed_now, RULES)) == []


def test_a_missing_zone_is_named_with_the_one_assumed():
    found = missing_zone_defect(Path("/in/a.zip"), 2, parse_deadline("2026-03-01 12:00 AoE"))
    text = "The archive does not record the time zone of 2 files."
    assert said([found]) == [("note", "/in/a.zip", text, "", "Their times were read as AoE.", 2)]
