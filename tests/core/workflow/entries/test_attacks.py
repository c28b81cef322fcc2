from __future__ import annotations

import sqlite3
from dataclasses import replace
from pathlib import Path

import pytest

from jurydesk.core.desk import Desk
from jurydesk.core.desk.entry_ledger import read_ledger
from jurydesk.core.model.evaluation import UsageError
from jurydesk.core.sealed.certificate import (
    CertificateError,
    parse_certificate,
    read_revocations,
    signed_bytes,
)
from jurydesk.core.sealed.key_store import key_pair
from jurydesk.core.workflow.entries import look as looks
from jurydesk.core.workflow.entries.certificates import (
    certificate_body,
    certificate_of,
    contradiction,
    revocation_list,
    revoke,
)
from jurydesk.core.workflow.entries.entry_kit import record_kit
from jurydesk.core.workflow.entries.entry_policy import published_summaries
from jurydesk.core.workflow.entries.entry_review import ledger_key, review_entries
from support.sealed_entries import OPEN, Contest


def reviewed(contest: Contest, *entries: Path) -> list[str]:
    return [one.decision for one in review_entries(contest.desk, entries)]


def test_entries_that_come_together_are_told_apart_before_anything_is_scored(
    contest: Contest,
) -> None:
    """Otherwise an organiser who approves both keys at once never sees that the names are alike."""
    contest.change_policy(approval=True)
    first = contest.seal([1], "North", name="a")
    alike = contest.seal([2], "NORTH", home="other", name="b")
    assert reviewed(contest, first, alike) == [
        "held: the key is new",
        "held: the name looks like that of the team North",
    ]
    (_, second) = review_entries(contest.desk, [first, alike])
    assert "These names look alike: North, NORTH." in second.remarks


def test_the_budget_and_copies_are_told_for_entries_that_come_together(contest: Contest) -> None:
    contest.change_policy(total=1)
    first = contest.seal([1], name="a")
    entries = [
        first,
        contest.seal([2], name="b"),
        contest.seal([1], "South", home="south", name="c"),
        contest.seal([1], name="d"),
    ]
    assert reviewed(contest, *entries) == [
        "ready to be scored",
        "refused: budget of 1 used",
        "held: the files are those of the entry of North before it",
        "same files as in an entry before it",
    ]
    outcomes = contest.open(*entries)
    assert [one.look is not None for one in outcomes] == [True, False, False, True]


def test_a_reason_does_not_mark_an_entry_that_the_policy_allows(contest: Contest) -> None:
    contest.change_policy(total=1)
    first, over = contest.open(contest.seal([1], name="a"), contest.seal([2]), reason="a prize")
    told = [parse_certificate(certificate_of(one.look, contest.organiser)) for one in (first, over)]
    assert [one.overruled for one in told] == ["", "a prize"]


def test_a_key_that_is_approved_again_after_its_revocation_has_valid_certificates(
    contest: Contest,
) -> None:
    key, target = contest.key("north").public, contest.folder / "revoked.json"
    revoke(contest.desk, "key", ledger_key(key), "by mistake")
    revoke(contest.desk, "key", ledger_key(contest.key("south").public), "stolen")
    contest.approve("north", "North")
    assert contest.look([1]).look is not None
    target.write_bytes(revocation_list(contest.desk, contest.organiser))
    assert [one.reason for one in read_revocations(target)[1]] == ["stolen"]


def test_with_another_organiser_s_key_nothing_is_opened_and_nothing_recorded(
    contest: Contest, tmp_path: Path
) -> None:
    entry, before = contest.seal([1]), read_ledger(contest.desk)
    stranger = key_pair("organiser", tmp_path / "another computer")[0]
    with pytest.raises(UsageError, match="put back the key that made them"):
        replace(contest, organiser=stranger).open(entry)
    assert read_ledger(contest.desk) == before
    found = parse_certificate(certificate_of(contest.look([1]).look, stranger))
    assert "signed with another key" in contradiction(read_ledger(contest.desk), found)


def test_the_title_that_a_certificate_repeats_is_the_organiser_s(contest: Contest) -> None:
    """A team writes its entry itself, and would have another title signed."""
    (outcome,) = contest.open(contest.seal([1], competition="Winner of 2027"))
    assert outcome.row.decision.startswith("refused: made for another competition")
    renamed = replace(contest.kit, title="Spotting, again")
    assert renamed.sha256 == contest.kit.sha256
    record_kit(contest.desk, renamed)
    record_kit(contest.desk, renamed)
    assert [row.kind for row in read_ledger(contest.desk)].count("kit") == 2
    (outcome,) = contest.open(contest.seal([1], competition=renamed.title))
    assert certificate_body(outcome.look)["competition"] == renamed.title


@pytest.mark.parametrize(
    "change",
    [
        {"team": "North\nx.jurycert: The signature is valid."},
        {"overruled": "\x1b[2J"},
        {"competition": "Spotting\u2028"},
        {"rank": {"place": "9" * 5000, "of": 3}},
        {"rank": {"place": "1 of 9", "of": 3}},
    ],
)
def test_a_certificate_forges_no_line_of_what_is_printed(contest: Contest, change) -> None:
    body = certificate_body(contest.look([1]).look)
    assert parse_certificate(signed_bytes("certificate", body, contest.organiser)).team == "North"
    content = signed_bytes("certificate", {**body, **change}, contest.organiser)
    with pytest.raises(CertificateError, match="another version"):
        parse_certificate(content)


def test_a_title_and_a_reason_of_two_lines_are_certified_as_one(contest: Contest) -> None:
    record_kit(contest.desk, replace(contest.kit, title="Spotting\n2027"))
    contest.change_policy(total=1)
    contest.look([1])
    entry = contest.seal([2], competition="Spotting\n2027")
    (outcome,) = contest.open(entry, reason="a prize\nfor all")
    found = parse_certificate(certificate_of(outcome.look, contest.organiser))
    assert (found.competition, found.overruled) == ("Spotting 2027", "a prize for all")


def test_two_programs_that_name_a_result_alike_record_what_it_is_named(
    contest: Contest, monkeypatch: pytest.MonkeyPatch
) -> None:
    scoring = looks.returned_result

    def while_another_looks(*arguments):
        monkeypatch.setattr(looks, "returned_result", scoring)
        with Desk.open(contest.desk.path) as other:
            rival = replace(contest, desk=other)
            assert rival.open(rival.seal([2], name="rival"))[0].look is not None
        return scoring(*arguments)

    monkeypatch.setattr(looks, "returned_result", while_another_looks)
    assert contest.look([1]).look is not None
    rows = read_ledger(contest.desk)
    assert {*contest.desk.systems()} == {"first", "second", rows[-2].system, rows[-1].system}
    published = published_summaries(contest.desk, rows)
    assert [one.system for one in published] == ["first", "second"]


def test_a_desk_of_earlier_days_opens_and_takes_entries(contest: Contest) -> None:
    connection = sqlite3.connect(contest.desk.path)
    connection.execute("DROP TABLE entry_ledger")
    connection.close()
    with Desk.open(contest.desk.path, read_only=True) as desk:
        assert read_ledger(desk) == ()
    with Desk.open(contest.desk.path) as desk:
        replace(contest, desk=desk).set_policy(OPEN)
        assert [row.kind for row in read_ledger(desk)] == ["policy"]
    with Desk.open(contest.desk.path) as desk:
        assert len(read_ledger(desk)) == 1
