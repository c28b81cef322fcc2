from __future__ import annotations

import importlib
import shutil
import sqlite3
import unicodedata
from dataclasses import replace

import pytest

from jurydesk.core.desk import Desk, DeskError
from jurydesk.core.desk.entry_ledger import NewRow, append_row, read_ledger
from jurydesk.core.model.evaluation import Source, UsageError
from jurydesk.core.sealed.certificate import (
    CertificateError,
    parse_certificate,
    read_certificate,
    read_revocations,
    revocation_of,
)
from jurydesk.core.system.paths import fingerprint
from jurydesk.core.workflow.entries import look as looks
from jurydesk.core.workflow.entries.certificates import (
    certificate_of,
    contradiction,
    public_board,
    revocation_list,
    revoke,
)
from jurydesk.core.workflow.entries.entry_review import ledger_key
from jurydesk.core.workflow.entries.look_budget import used_budget
from support.sealed_entries import OPEN, Contest, ranked_lists


def decisions(contest: Contest) -> list[str]:
    return [row.kind for row in read_ledger(contest.desk) if row.team]


def test_a_look_is_counted_once_and_the_same_bytes_again_cost_nothing(contest: Contest) -> None:
    entry = contest.seal([1])
    (first,), (again,) = contest.open(entry), contest.open(entry)
    assert (first.review.state, again.review.state) == ("ready", "again")
    assert first.look == again.look
    assert decisions(contest) == ["scored", "same entry again"]
    one, two = (certificate_of(each.look, contest.organiser) for each in (first, again))
    assert one == two
    again_sealed = contest.look([1])
    assert again_sealed.look == first.look, "other bytes with the same files cost nothing"


def test_a_certificate_tells_what_the_policy_says_and_no_more(contest: Contest) -> None:
    outcome = contest.look([1])
    found = parse_certificate(certificate_of(outcome.look, contest.organiser))
    # By hand: every relevant item is first.
    (score,) = found.scores
    assert score.metric == "ap"
    assert float(score.value) == 1.0
    assert (found.rank.place, found.rank.of, found.rank.compared) == ("1", 3, "better")
    assert (found.ledger.looks, found.ledger.budget, found.team) == (1, 3, "North")
    assert found.organiser == contest.organiser.public
    assert b'"q0"' not in certificate_of(outcome.look, contest.organiser), "no items"


def test_the_budget_of_a_team_holds_for_its_key_and_for_its_name(contest: Contest) -> None:
    for places in ([1], [2], [3]):
        assert contest.look(places).look is not None
    assert contest.look([4]).row.decision == "refused: budget of 3 used"
    assert contest.look([4], "South").row.decision == "held: the key is that of the team North"
    other_key = contest.look([4], home="other")
    assert other_key.row.decision == "held: the team North had another key so far"
    contest.approve("other", "North")
    assert contest.look([4], home="other").row.decision == "refused: budget of 3 used"
    assert len(contest.desk.evaluations()) == 5


def test_the_organiser_scores_beyond_the_budget_with_a_reason_that_stays(contest: Contest) -> None:
    contest.change_policy(total=1)
    contest.look([1])
    (outcome,) = contest.open(contest.seal([2]), reason="the first was a broken upload")
    assert outcome.look.reason == "the first was a broken upload"
    found = parse_certificate(certificate_of(outcome.look, contest.organiser))
    assert (found.overruled, found.ledger.looks) == ("the first was a broken upload", 2)


def test_budgets_of_a_day_and_a_month_count_the_looks_of_the_ledger(contest: Contest) -> None:
    contest.look([1])
    rows = read_ledger(contest.desk)
    time, key = rows[-1].time, rows[-1].key
    other_day = f"{time[:8]}{'02' if time[8:10] == '01' else '01'}{time[10:]}"
    day, month = replace(OPEN, day=1), replace(OPEN, month=1)
    assert used_budget(rows, day, key, "North", time) == "refused: budget of 1 a day used"
    assert used_budget(rows, day, key, "North", other_day) == ""
    assert used_budget(rows, month, key, "North", other_day).endswith("a month used")
    assert used_budget(rows, month, key, "North", f"9{time[1:]}") == ""
    assert used_budget(rows, month, "", "South", time) == ""


def test_equal_defects_of_an_entry_are_counted(contest: Contest) -> None:
    text = ranked_lists([1]) + "q1 Q0 x\n" * 300
    (outcome,) = contest.open(contest.seal([1], text=text))
    assert outcome.row.decision.startswith("refused: ")
    assert [one.count for one in outcome.defects] == [*[1] * 10, 290]


def test_a_refused_entry_with_defects_costs_nothing(contest: Contest) -> None:
    (outcome,) = contest.open(contest.seal([1], text="no ranked list\n"))
    assert outcome.row.decision.startswith("refused: ")
    assert outcome.look is None
    assert contest.look([1]).look.result["look"] == 1


def test_the_first_entry_of_a_new_key_waits_for_consent(contest: Contest) -> None:
    contest.change_policy(approval=True)
    assert contest.look([1]).row.decision == "held: the key is new"
    contest.approve("north", "North")
    assert contest.look([1]).look is not None


LOOK_ALIKES = [
    "N\u043erth",  # a Cyrillic letter
    "north",
    "N orth",
    unicodedata.normalize("NFD", "Nörth"),
]


def test_a_name_that_looks_like_another_teams_is_held(contest: Contest) -> None:
    contest.change_policy(total=9)
    contest.look([1], "North")
    contest.look([2], "Nörth", home="norse")
    for name in LOOK_ALIKES:
        outcome = contest.look([3], name, home="other")
        assert outcome.row.decision.startswith("held: the name looks like that of the team N")
        assert outcome.look is None


def test_a_copy_of_another_teams_files_is_held(contest: Contest) -> None:
    contest.look([1])
    outcome = contest.look([1], "South", home="south")
    assert outcome.row.decision == "held: the files are those of entry 3 of North"
    published = contest.seal([1], "South", "south", text=(contest.folder / "first.txt").read_text())
    (outcome,) = contest.open(published)
    assert outcome.row.decision.startswith("held: the files are those of the published system")


def test_an_entry_of_another_competition_or_reference_is_refused(contest: Contest) -> None:
    (outcome,) = contest.open(contest.seal([1], reference="0" * 64))
    assert outcome.row.decision.startswith("refused: made for another competition")
    (again,) = contest.open(contest.seal([1], reference="0" * 64), reason="please")
    assert again.look is None, "no reason overrules it"
    relevance = contest.folder / "q.txt"
    relevance.write_text("q0 0 rel 1\n")
    role = contest.task.submission_input().role
    found = fingerprint(relevance)
    source = Source("relevance", str(relevance), found.size, found.sha256)
    contest.desk.merge_inputs([source], role)
    assert contest.look([1]).row.decision.startswith("refused: made for another competition")


def test_the_public_board_has_the_looks_that_count_and_were_not_revoked(contest: Contest) -> None:
    kept, taken = contest.look([2, 3]), contest.look([1, 2])
    worse = contest.look([9, 9])

    def shown() -> list[bool]:
        page = public_board(read_ledger(contest.desk), contest.organiser)
        looks = (kept.look, taken.look, worse.look)
        return [bool(page) and f"<td>{one.entry[:16]}</td>".encode() in page for one in looks]

    assert shown() == [True, True, False]
    revoke(contest.desk, "entry", taken.look.entry, "wrong data")
    assert shown() == [True, False, False]
    revoke(contest.desk, "entry", kept.look.entry, "wrong data")
    assert public_board(read_ledger(contest.desk), contest.organiser) is None


def test_an_entry_of_a_revoked_key_is_refused_and_later_certificates_are_invalid(
    contest: Contest,
) -> None:
    outcome = contest.look([1])
    key = ledger_key(contest.key("north").public)
    revoke(contest.desk, "key", key, "stolen")
    revoke(contest.desk, "entry", outcome.look.entry, "wrong data")
    assert contest.look([2]).row.decision == "refused: the team's key was revoked"
    target = contest.folder / "revoked.json"
    target.write_bytes(revocation_list(contest.desk, contest.organiser))
    signer, revoked = read_revocations(target, contest.organiser.public)
    assert signer == contest.organiser.public
    found = parse_certificate(certificate_of(outcome.look, contest.organiser))
    assert revocation_of(found, revoked[1:]).reason == "wrong data"
    target.write_text(target.read_text().replace("stolen", "lost"))
    with pytest.raises(CertificateError, match="altered"):
        read_revocations(target)


def test_there_is_no_public_board_of_several_competitions(contest: Contest) -> None:
    rows = [contest.look([2, 3]).look, contest.look([1, 2]).look]
    other = replace(rows[1], result={**rows[1].result, "competition": "Another"})
    with pytest.raises(UsageError, match="of several competitions"):
        public_board([rows[0], other], contest.organiser)


ALTERATIONS = {
    "UPDATE entry_ledger SET content = replace(content, 'North', 'East') WHERE number = 3": 3,
    "UPDATE entry_ledger SET content = replace(content, 'scored', 'held') WHERE number = 4": 4,
    "UPDATE entry_ledger SET result = replace(result, 'value', 'wert') WHERE number = 3": 3,
    "UPDATE entry_ledger SET message = '\"held\"' WHERE number = 3": 3,
    "UPDATE entry_ledger SET hash = upper(hash) WHERE number = 3": 3,
    "UPDATE entry_ledger SET result = '0.5' WHERE number = 4": 4,
    "DELETE FROM entry_ledger WHERE number = 3": 3,
    "DELETE FROM entry_ledger WHERE number = 1": 1,
    "UPDATE entry_ledger SET number = 9 - number WHERE number > 2": 3,
}
"""Alterations of a ledger whose numbers 3 and 4 are looks, and the row that does not fit."""


def test_a_ledger_that_was_altered_is_refused_at_its_row(contest: Contest) -> None:
    contest.look([1])
    contest.look([2])
    altered = contest.folder / "altered.jurydesk"
    for statement, bad in ALTERATIONS.items():
        shutil.copy(contest.desk.path, altered)
        connection = sqlite3.connect(altered)
        with connection:
            connection.execute(statement)
        connection.close()
        with (
            Desk.open(altered) as desk,
            pytest.raises(DeskError, match=f"row {bad}( does not fit|:)"),
        ):
            Contest(contest.folder, desk, contest.organiser, contest.kit).look([3])


@pytest.mark.parametrize(
    "row",
    [
        NewRow("scored", "scored", result={"told": 1}),
        NewRow("scored", "scored"),
        NewRow("scored", "scored", key=5),
        NewRow("revoked", "revoked", entry=None),
    ],
)
def test_a_crafted_ledger_whose_chain_fits_is_damage(contest: Contest, row: NewRow) -> None:
    append_row(contest.desk, lambda _: row)
    with pytest.raises(DeskError, match="is damaged: table entry_ledger, row 3"):
        read_ledger(contest.desk)


def test_a_ledger_that_was_written_anew_contradicts_certificates_that_are_out(contest) -> None:
    found = parse_certificate(certificate_of(contest.look([1]).look, contest.organiser))
    assert contradiction(read_ledger(contest.desk), found) == ""
    connection = sqlite3.connect(contest.desk.path)
    with connection:
        connection.execute("DELETE FROM entry_ledger WHERE number > 2")
    connection.close()
    assert contradiction(read_ledger(contest.desk), found) == (
        "The ledger lacks number 3 of a certificate."
    )
    contest.look([2])
    assert "is not that of a certificate" in contradiction(read_ledger(contest.desk), found)


def test_a_certificate_with_another_number_is_refused(contest: Contest) -> None:
    content = certificate_of(contest.look([4]).look, contest.organiser)
    path = contest.folder / "x.jurycert"
    for old, new in ((b'"value": "', b'"value": "1'), (b'"place": "', b'"place": "1'),
                     (b'"looks": 1', b'"looks": 2'), (b"North", b"South")):  # fmt: skip
        assert old in content
        path.write_bytes(content.replace(old, new, 1))
        with pytest.raises(CertificateError, match="altered after it was signed"):
            read_certificate(path)
    path.write_bytes(content)
    with pytest.raises(CertificateError, match="signed with another key"):
        read_certificate(path, contest.key("north").public)
    assert read_certificate(path, contest.organiser.public).team == "North"
    path.write_bytes(b"<html>" + content)
    with pytest.raises(CertificateError, match="contains no certificate"):
        read_certificate(path)


def test_a_policy_that_is_changed_after_the_look_does_not_change_its_certificate(contest) -> None:
    row = contest.look([1]).look
    before = certificate_of(row, contest.organiser)
    contest.change_policy(total=9, returns="everything", rounds=False)
    assert certificate_of(read_ledger(contest.desk)[2], contest.organiser) == before
    forged = {**row.result, "policy": {**row.result["policy"], "total": 1}}
    with pytest.raises(UsageError, match="was changed after the look"):
        certificate_of(replace(row, result=forged), contest.organiser)


def test_a_published_board_that_changed_is_told_before_anything_is_scored(contest) -> None:
    contest.desk.remove(contest.desk.evaluations()[0].id)
    with pytest.raises(UsageError, match="set the policy again"):
        contest.look([1])
    assert decisions(contest) == []


def test_reference_files_that_changed_are_told_before_anything_is_scored(
    contest: Contest, monkeypatch: pytest.MonkeyPatch
) -> None:
    entry = contest.seal([1])
    found = tuple(replace(one, state="changed") for one in contest.desk.inputs())
    monkeypatch.setattr(Desk, "inputs", lambda desk: found)
    with pytest.raises(UsageError, match=r"missing or have changed: q\.txt"):
        contest.open(entry)
    monkeypatch.undo()
    assert decisions(contest) == []


def test_only_a_score_better_by_a_standard_error_is_told(contest: Contest) -> None:
    contest.change_policy(total=9)
    first = contest.look([2, 3]).look.result
    worse = contest.look([2, 4]).look.result
    slightly = contest.look([2, 3] * 11 + [2, 2]).look.result
    better = contest.look([1]).look.result
    assert [one["counts"] for one in (first, worse, slightly, better)] == [True, False, False, True]
    assert worse["told"] == slightly["told"] == first["told"]
    assert better["told"] != first["told"]
    contest.change_policy(total=9, ladder=False)
    assert contest.look([3]).look.result["counts"]


STEPS = (
    "read_entry",
    "unpack_entry",
    "find_submissions",
    "score_submissions",
    "returned_result",
    "pack_evaluation",
    "insert_evaluation",
    "merge_inputs_within",
    "apply_ladder",
    "hash_of_row",
    "certificate_of",
)
PLACES = {
    "read_entry": "jurydesk.core.workflow.entries.entry_review",
    "pack_evaluation": "jurydesk.core.desk.entry_ledger",
    "insert_evaluation": "jurydesk.core.desk.tables.evaluation_table",
    "merge_inputs_within": "jurydesk.core.desk.desk.Desk",
    "hash_of_row": "jurydesk.core.desk.entry_ledger",
}


MOMENTS = [
    *((step, "before") for step in ("read_entry", "unpack_entry", "pack_evaluation")),
    *((step, "after") for step in STEPS if step != "read_entry"),
]


class Killed(BaseException):
    """The end of the program at this place."""


@pytest.mark.parametrize(("step", "moment"), MOMENTS)
def test_a_program_that_ends_at_any_step_counts_each_look_that_told_a_number_and_none_twice(
    contest: Contest, step: str, moment: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    entry, told = contest.seal([1]), []

    def run() -> None:
        (outcome,) = contest.open(entry)
        told.append(looks_certificate(outcome.look, contest.organiser))

    def looks_certificate(row, organiser):
        return certificate(row, organiser)

    certificate = certificate_of
    place = PLACES.get(step, looks.__name__)
    if step == "certificate_of":

        def certificate(row, organiser):
            raise Killed
    else:
        owner, _, name = place.rpartition(".") if place.endswith("Desk") else (place, "", "")
        target = (
            getattr(importlib.import_module(owner), name)
            if name
            else (importlib.import_module(owner))
        )
        original = getattr(target, step)

        def ends(*arguments, **named):
            if moment == "after":
                original(*arguments, **named)
            raise Killed

        monkeypatch.setattr(target, step, ends)
    with pytest.raises(Killed):
        run()
    monkeypatch.undo()
    certificate = certificate_of
    counted = [row for row in read_ledger(contest.desk) if row.kind == "scored"]
    assert len(counted) == (step == "certificate_of")
    assert len(contest.desk.evaluations()) == 2 + len(counted)
    run()
    counted = [row for row in read_ledger(contest.desk) if row.kind == "scored"]
    assert len(counted) == len(told) == 1
    assert len(contest.desk.evaluations()) == 3


def test_two_programs_at_once_take_no_look_more_than_the_budget(
    contest: Contest, monkeypatch: pytest.MonkeyPatch
) -> None:
    contest.change_policy(total=1)
    scoring = looks.returned_result

    def while_another_looks(*arguments):
        monkeypatch.setattr(looks, "returned_result", scoring)
        with Desk.open(contest.desk.path) as other:
            rival = Contest(contest.folder, other, contest.organiser, contest.kit)
            assert rival.open(rival.seal([2], name="rival"))[0].look is not None
        return scoring(*arguments)

    monkeypatch.setattr(looks, "returned_result", while_another_looks)
    outcome = contest.look([1])
    assert (outcome.look, outcome.row.decision) == (None, "refused: budget of 1 used")
    assert decisions(contest) == ["scored", "refused"]


def test_a_look_is_not_told_by_a_policy_that_changed_while_it_was_scored(
    contest: Contest, monkeypatch: pytest.MonkeyPatch
) -> None:
    scoring = looks.returned_result

    def while_the_policy_changes(*arguments):
        contest.change_policy(total=9)
        return scoring(*arguments)

    monkeypatch.setattr(looks, "returned_result", while_the_policy_changes)
    assert contest.look([1]).row.decision == "refused: the policy changed meanwhile"
    assert len(contest.desk.evaluations()) == 2
