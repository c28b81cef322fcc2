"""Short names omit the common part of all names, and stay distinct."""

from __future__ import annotations

import pytest

from jurydesk.app.style.distinct_names import (
    distinct_parts,
    fit_name,
    fit_names,
    shorten_names,
)


@pytest.mark.parametrize(
    ("names", "short"),
    [
        (
            ["spring2026_final_album-lm.test", "spring2026_final_vlm-13b.test"],
            ["…album-lm…", "…vlm-13b…"],
        ),
        (
            ["example_team_name (example-submission-file.test)", "example_team_name (happy.test)"],
            ["…example-submission-file…", "…happy…"],
        ),
        (
            ["Centre for Language (primary 1)", "Centre for Language (contrastive 1)"],
            ["…(primary 1)", "…(contrastive 1)"],
        ),
        (["one system of this very long name"], ["one system of this very long name"]),
        (["short-a", "short-b"], ["short-a", "short-b"]),
        (
            ["team_a_submission_number_10", "team_a_submission_number_11"],
            ["…10", "…11"],
        ),
    ],
)
def test_what_all_names_share_is_left_out(names, short):
    assert list(shorten_names(names).values()) == short


def test_one_different_name_does_not_restore_what_the_others_share():
    names = [f"a-very-long-beginning-of-names-{n}" for n in ("x", "y", "z")] + ["human"]
    assert list(shorten_names(names).values()) == ["…x", "…y", "…z", "human"]


def test_names_that_would_become_equal_are_not_shortened():
    names = ["the-same-beginning-of-both-x", "the-same-beginning-of-both-y", "…x", "…y"]
    assert dict(shorten_names(names)) == {name: name for name in names}


def test_a_name_that_is_the_common_prefix_stays_distinct():
    names = ["my-submission-for-the-challenge-", "my-submission-for-the-challenge-b"]
    assert len(set(shorten_names(names).values())) == 2


def test_words_are_never_cut():
    names = ["the-collection-of-team-alpha-first", "the-collection-of-team-alto-second"]
    assert list(shorten_names(names).values()) == ["…alpha-first", "…alto-second"]


NAMES = ["spring_submission_of_team_07_final.json", "spring_submission_of_team_12_final.json"]


@pytest.mark.parametrize(
    ("room", "shown"),
    [
        (1, "…07…"),
        (4, "…07…"),
        (5, "…_07…"),
        (6, "…_07_…"),
        (20, "…of_team_07_final.j…"),
        (26, "…ion_of_team_07_final.json"),
        (38, "…ring_submission_of_team_07_final.json"),
        (39, "spring_submission_of_team_07_final.json"),
    ],
)
def test_a_name_uses_the_room_there_is_on_both_sides_of_its_distinct_part(room, shown):
    assert fit_name(NAMES[0], distinct_parts(NAMES)[NAMES[0]], len, room) == shown


def test_a_name_that_shares_nothing_stays_whole():
    assert fit_name("alone", distinct_parts(["alone"])["alone"], len, 2) == "alone"


@pytest.mark.parametrize(
    ("names", "room"),
    [
        (["systems of 2024, alpha, final", "systems of 2024, beta, final"], 12),
        (["alpha of the same long team name", "alphb of the same long team name"], 9),
        (["a same long beginning, then 1", "a same long beginning, then 2"], 8),
        (["spring2026_final_album-lm.test", "spring2026_final_vlm-13b.test", "human"], 12),
        (["run", "run 2"], 4),
    ],
)
def test_a_cut_joins_no_two_names(names, room):
    shown = fit_names(names, len, room)
    assert len(set(shown.values())) == len(names)
    assert max(map(len, shown.values())) <= room


def test_names_are_cut_at_their_end_and_only_those_that_become_equal_in_the_middle():
    names = ["north wind, a first run", "north wind, a last one", "south sea, with another"]
    assert list(fit_names(names, len, 11).values()) == ["north…t run", "north…t one", "south sea,…"]
    assert list(fit_names(names[1:], len, 11).values()) == ["north wind…", "south sea,…"]


def test_names_with_room_are_not_cut():
    assert dict(fit_names(["a name", "another name"], len, 12)) == {
        "a name": "a name",
        "another name": "another name",
    }


def test_names_that_no_cut_tells_apart_fit_all_the_same():
    names = [f"the same words {n} on both sides of it" for n in range(3)]
    assert max(map(len, fit_names(names, len, 3).values())) <= 3
