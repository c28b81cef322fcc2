from __future__ import annotations

from dataclasses import replace
from datetime import datetime

import pytest

from jurydesk.core.desk import Desk
from jurydesk.core.desk.entry_ledger import KIT, NewRow, append_row, read_ledger
from jurydesk.core.execution.run import Run
from jurydesk.core.intake.deadlines import Deadline
from jurydesk.core.intake.submission import IntakeRules
from jurydesk.core.intake.submission_ledger import store_rules
from jurydesk.core.sealed.certificate import Revocation, parse_certificate, revocation_of
from jurydesk.core.sealed.entry_file import EntryClaims, seal_entry
from jurydesk.core.workflow.entries import look as looks
from jurydesk.core.workflow.entries.certificates import certificate_of, revoke
from jurydesk.core.workflow.entries.entry_review import (
    ledger_key,
    review_entries,
    waits_for_consent,
)
from support.sealed_entries import Contest, ranked_lists


def test_a_key_is_approved_for_the_team_alone_for_which_it_was(contest: Contest) -> None:
    contest.approve("north", "North")
    held = contest.look([1], "South", "north")
    assert held.row.decision == "held: the key is that of the team North"


def test_lateness_and_a_lack_of_encryption_are_told(contest: Contest, tmp_path) -> None:
    store_rules(contest.desk, IntakeRules(Deadline(datetime(2020, 1, 1), "UTC")))
    (review,) = review_entries(contest.desk, [contest.seal([1])])
    assert [one for one in review.remarks if "after the deadline" in one]
    assert not [one for one in review.remarks if "not encrypted" in one]
    source, plain = tmp_path / "run.txt", tmp_path / "plain.juryentry"
    claims = EntryClaims("Spotting", contest.kit.sha256, "North")
    seal_entry(plain, {"run.txt": source}, claims, contest.key("north"), None, Run())
    (review,) = review_entries(contest.desk, [plain])
    assert "It is not encrypted: who forwarded it could read it." in review.remarks


def test_consent_is_asked_for_keys_and_never_for_copies(contest: Contest) -> None:
    contest.change_policy(approval=True)
    published = (contest.folder / "first.txt").read_text()
    copy = contest.seal([1], name="copy", text=published)
    reviews = review_entries(contest.desk, [contest.seal([1]), copy])
    assert [waits_for_consent(one) for one in reviews] == [True, False]


def test_no_reason_scores_an_entry_of_a_revoked_key(contest: Contest) -> None:
    revoke(contest.desk, "key", ledger_key(contest.key("north").public), "stolen")
    (outcome,) = contest.open(contest.seal([1]), reason="please")
    assert (outcome.look, outcome.row.decision) == (None, "refused: the team's key was revoked")


def test_a_certificate_of_the_second_of_its_key_s_revocation_is_revoked(contest: Contest) -> None:
    found = parse_certificate(certificate_of(contest.look([1]).look, contest.organiser))
    revoked = Revocation("key", found.team_key, found.issued)
    assert revocation_of(found, [revoked]) == revoked
    assert revocation_of(found, [replace(revoked, time="9999")]) is None


def test_the_ladder_tells_the_latest_best_again(contest: Contest) -> None:
    contest.change_policy(total=9)
    for places in ([5], [3]):
        assert contest.look(places).look.result["counts"]
    best = read_ledger(contest.desk)[-1]
    worse = contest.look([6]).look.result
    assert (worse["counts"], worse["best"], worse["told"]) == (
        False,
        best.number,
        best.result["told"],
    )


def test_an_entry_has_one_submission(contest: Contest, tmp_path) -> None:
    files = {f"{one}.txt": tmp_path / f"{one}.txt" for one in ("a", "b")}
    for place, path in enumerate(files.values(), start=1):
        path.write_text(ranked_lists([place]))
    target, claims = tmp_path / "two", EntryClaims("Spotting", contest.kit.sha256, "North")
    recipient = contest.organiser.public_encryption
    seal_entry(target, files, claims, contest.key("north"), recipient, Run())
    (outcome,) = contest.open(target)
    assert "It has 2 submissions of the competition, not one." in outcome.row.decision


def test_two_programs_that_score_the_same_entry_take_one_look(
    contest: Contest, monkeypatch: pytest.MonkeyPatch
) -> None:
    entry, scoring = contest.seal([1]), looks.returned_result

    def while_another_scores_it(*arguments):
        monkeypatch.setattr(looks, "returned_result", scoring)
        with Desk.open(contest.desk.path) as other:
            assert replace(contest, desk=other).open(entry)[0].look is not None
        return scoring(*arguments)

    monkeypatch.setattr(looks, "returned_result", while_another_scores_it)
    (outcome,) = contest.open(entry)
    assert outcome.row.decision == "refused: the same files were scored meanwhile"
    assert len(contest.desk.evaluations()) == 3


def test_kits_of_earlier_days_name_no_organiser_and_are_taken(contest: Contest) -> None:
    with Desk.create(contest.folder / "early.jurydesk") as early:
        kit, reference = contest.kit.sha256, contest.kit.entries.reference
        row = NewRow(KIT, "kit handed out", entry=kit, reference=reference)
        append_row(early, lambda _: row)
        looks.require_organiser(read_ledger(early), contest.organiser)
