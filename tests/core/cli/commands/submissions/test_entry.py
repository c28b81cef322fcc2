"""Sealed entries from the kit to the public board, in the homes of organiser, team and reader."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from jurydesk.core.competition.task_registry import registry
from jurydesk.core.desk import Desk
from jurydesk.core.desk.hidden_scores import hide_scores
from jurydesk.core.participant_kit.kit import kit_bytes, read_kit
from jurydesk.core.sealed.certificate import signed_bytes
from jurydesk.core.sealed.key_store import key_pair
from jurydesk.core.sealed.public_keys import ENCRYPTION, key_text
from jurydesk.core.workflow.entries.certificates import certificate_body
from support.plug_ins.example import installed
from support.sealed_cases import CASES, Case, homes
from support.sealed_entries import Contest


@pytest.fixture
def at(jurydesk: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[..., Any]:
    """Return the command line in somebody's home; METEOR's index is the one of all tests."""
    enter = homes(tmp_path, monkeypatch)

    def call(home: str, *arguments: object) -> Any:
        enter(home)
        return jurydesk(*arguments)

    return call


@pytest.fixture
def _signs(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    yield from installed(monkeypatch)


@pytest.mark.usefixtures("_signs")
@pytest.mark.parametrize("case", CASES, ids=lambda one: one.task)
def test_an_entry_goes_from_the_kit_to_the_public_board(at, case: Case, tmp_path: Path) -> None:
    desk, kit, entry = (tmp_path / name for name in ("d.jurydesk", "k.jurycomp", "e.juryentry"))
    files = (*case.references, case.option, case.published)
    assert at("organiser", "score", case.task, *files, "--desk", desk).code == 0
    made = at("organiser", "kit", "--desk", desk, "--entries", kit)
    assert (made.code, "A key without a passphrase was made: " in made.err) == (0, True)

    sealing = ("entry", "seal", kit, case.entry, "--team", "North", "--statement", "no test data")
    sealed = at("team", *sealing, "--out", entry)
    assert sealed.code == 0, sealed.err
    assert case.entry.name.encode() not in entry.read_bytes().replace(b"files.enc", b"")[2000:]
    key = at("team", "entry", "key").out.split()[0]

    held = at("organiser", "entry", "open", desk, entry, "--out", tmp_path)
    assert (held.code, "held: the key is new" in held.out) == (1, True)
    assert at("organiser", "entry", "approve", desk, key, "--team", "North").code == 0
    opened = at("organiser", "entry", "open", desk, entry, "--out", tmp_path)
    assert (opened.code, "ledger number 5" in opened.out) == (0, True), opened.err
    (certificate,) = tmp_path.glob("*.jurycert")

    organiser = json.loads(kit.read_text())["entries"]["signing"]
    verified = at("reader", "entry", "verify", certificate, "--key", organiser, "--json", "-")
    (found,) = json.loads(verified.out)["certificates"]
    assert (found["valid"], found["organiser"]) == (True, organiser)
    assert (certificate.read_text().count("no test data"), verified.code) == (1, 0)
    own = certificate.with_suffix(".html")
    assert at("reader", "entry", "verify", own, certificate).code == 0
    other = tmp_path / "other.html"
    other.write_bytes(own.read_bytes().replace(b"<body>", b"<body><h1>North won</h1>"))
    forged = at("reader", "entry", "verify", other)
    assert (forged.code, "trust these lines, not its text" in forged.out) == (4, True)
    page = tmp_path / "board.html"
    assert at("reader", "entry", "board", certificate, "--out", page).code == 0
    text = page.read_text(encoding="utf-8")
    assert f"{found['scores'][0]['value']} [" in text
    assert ">North<" in text
    assert "default-src 'none'" in text
    assert re.search(r'(src|href)="(?!#|data:)|url\(|@import', text) is None
    checked = at("organiser", "entry", "ledger", desk, certificate)
    assert (checked.code, "North: 1 look" in checked.out) == (0, True)
    head, *rows = checked.out.splitlines()
    assert head.split() == ["number", "time", "team", "decision", "reason", "system"]
    assert [row.split()[0] for row in rows[:5]] == ["1", "2", "3", "4", "5"]


@pytest.fixture
def contest(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Contest]:
    made = Contest.make(tmp_path)
    monkeypatch.setenv("JURYDESK_HOME", str(tmp_path / "home"))
    (tmp_path / "home").mkdir()
    (tmp_path / "organiser").rename(tmp_path / "home" / "config")
    with made.desk:
        yield made


def test_the_other_commands_say_what_they_did(jurydesk, contest: Contest, tmp_path: Path) -> None:
    desk, out = contest.desk.path, tmp_path / "out"
    out.mkdir()
    first, second = contest.seal([1], name="a"), contest.seal([2, 3], name="b")
    tried = jurydesk("entry", "open", desk, first, "--dry-run")
    assert (tried.code, "a.juryentry (North): ready to be scored" in tried.out) == (0, True)
    assert jurydesk("entry", "open", desk, second, first, "--out", out).code == 0
    assert "no new best" in jurydesk("entry", "open", desk, contest.seal([6]), "--out", out).out

    shown = jurydesk("entry", "policy", desk, "--json", "-")
    assert json.loads(shown.out)["total"] == 3
    changed = jurydesk("entry", "policy", desk, "--total", 4, "--exact", "--no-ladder")
    assert "0 a day, 0 a month, 4 in all" in changed.out
    assert "rounded" not in changed.out
    assert jurydesk("entry", "policy", desk, "--metric", "nonsense").code == 2

    revoked = tmp_path / "revoked.json"
    done = jurydesk("entry", "revoke", desk, 3, "--reason", "wrong file", "--out", revoked)
    assert done.code == 0, done.err
    found = jurydesk("entry", "verify", out / "North-3.jurycert", "--revoked", revoked)
    assert (found.code, "It was revoked: wrong file" in found.out) == (1, True)
    page = tmp_path / "board.html"
    boarded = jurydesk(
        "entry", "board", *sorted(out.glob("*.jurycert")), "--revoked", revoked, "--out", page
    )
    assert (boarded.code, "revoked" in boarded.err) == (1, True)
    assert "1 looks were no new best" in page.read_text()
    key = contest.key("north").text
    assert jurydesk("entry", "revoke", desk, key).code == 0
    assert jurydesk("entry", "revoke", desk, 1).code == 2
    again = tmp_path / "again"
    again.mkdir()
    assert jurydesk("entry", "ledger", desk, "--out", again).code == 0
    for one in out.iterdir():
        assert (again / one.name).read_bytes() == one.read_bytes()


def test_verify_takes_a_certificate_and_says_what_it_cannot_check(
    jurydesk, contest: Contest, tmp_path: Path
) -> None:
    path = tmp_path / "given.json"
    body = certificate_body(contest.look([1]).look)
    path.write_bytes(signed_bytes("certificate", body, contest.organiser))
    found = jurydesk("verify", path)
    assert (found.code, "given.json: The signature is valid." in found.out) == (4, True), found.err
    last = "Not checked: the scores of a certificate, and whose key signed it."
    assert found.out.splitlines()[-1] == last
    path.write_bytes(path.read_bytes().replace(b"North", b"South"))
    altered = jurydesk("verify", path)
    assert (altered.code, "It was altered after it was signed." in altered.out) == (1, True)


def test_a_board_is_of_one_competition(jurydesk, contest: Contest, tmp_path: Path) -> None:
    paths = [tmp_path / "a.jurycert", tmp_path / "b.jurycert"]
    row = contest.look([1]).look
    for path, title in zip(paths, ("Spotting", "Other"), strict=True):
        body = {**certificate_body(row), "competition": title}
        path.write_bytes(signed_bytes("certificate", body, contest.organiser))
    made = jurydesk("entry", "board", *paths, "--out", tmp_path / "board.html")
    assert (made.code, "several competitions" in made.err) == (1, True)
    body = {**certificate_body(row), "reference": "ab" * 32}
    paths[1].write_bytes(signed_bytes("certificate", body, contest.organiser))
    assert jurydesk("entry", "board", *paths, "--out", tmp_path / "board.html").code == 0
    assert "The entries are of 2 kits" in (tmp_path / "board.html").read_text()


def test_hidden_scores_are_not_told_by_a_look(jurydesk, contest: Contest) -> None:
    hide_scores(contest.desk)
    done = jurydesk("entry", "open", contest.desk.path, contest.seal([1]))
    assert (done.code, "have been hidden since" in done.err) == (1, True)


def test_files_with_errors_are_not_sealed(jurydesk, contest: Contest, tmp_path: Path) -> None:
    kit, bad = tmp_path / "k.jurycomp", tmp_path / "bad.txt"
    assert jurydesk("kit", "--desk", contest.desk.path, "--entries", kit).code == 0
    bad.write_text("q0 Q0 d1\n")
    out = ("--team", "North", "--out", tmp_path / "x.juryentry")
    refused = jurydesk("entry", "seal", kit, bad, *out)
    assert (refused.code, "error" in refused.out) == (1, True)
    assert not (tmp_path / "x.juryentry").exists()
    good = contest.folder / "first.txt"
    assert jurydesk("entry", "seal", kit, good, good, *out).code == 1
    assert jurydesk("entry", "seal", kit, tmp_path / "none", *out).code == 1
    assert jurydesk("entry", "seal", kit, good, "--team", " ", *out[2:]).code == 1
    keys = replace(read_kit(kit).entries, encryption=key_text(bytes(32), ENCRYPTION))
    kit.write_bytes(kit_bytes(replace(read_kit(kit), entries=keys)))
    refused = jurydesk("entry", "seal", kit, good, *out)
    assert (refused.code, "anyone could read" in refused.err) == (1, True)
    assert not (tmp_path / "x.juryentry").exists()
    plain = tmp_path / "plain.jurycomp"
    jurydesk("kit", "--desk", contest.desk.path, plain)
    refused = jurydesk("entry", "seal", plain, good, *out)
    assert (refused.code, "takes no sealed entries" in refused.err) == (1, True)
    assert key_pair("team")[0].text == jurydesk("entry", "key").out.split()[0]
    assert registry().tasks
    with Desk.open(contest.desk.path) as desk:
        assert len(desk.evaluations()) == 2
