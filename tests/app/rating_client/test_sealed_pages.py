"""Pages of sealed entries in a browser: signatures are checked there as the program checks them."""

from __future__ import annotations

import base64
import json
import random
from dataclasses import replace

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from PySide6.QtCore import QUrl
from PySide6.QtWebEngineCore import QWebEnginePage, QWebEngineProfile
from shiboken6 import Shiboken

from jurydesk.app.rating_client.url_scheme import register_scheme
from jurydesk.core.competition.task_registry import registry
from jurydesk.core.execution.run import Run
from jurydesk.core.export.html_report.certificate_page import certificate_page
from jurydesk.core.export.html_report.entry_board import EntryBoard, entry_board_page
from jurydesk.core.participant_kit.browser_page import checker_page_bytes
from jurydesk.core.participant_kit.kit import EntryKeys, require_redaction
from jurydesk.core.sealed.certificate import (
    CertificateError,
    parse_certificate,
    read_certificate,
    signed_bytes,
)
from jurydesk.core.sealed.encryption import CHUNK_BYTES
from jurydesk.core.sealed.entry_file import read_entry, unpack_entry
from jurydesk.core.sealed.key_store import key_pair
from support.kits.cases import example_case
from support.oracles import oracle

VECTORS = json.loads(oracle("sealed/vectors.json").read_text(encoding="utf-8"))["cases"]
VERDICT = "[document.getElementById('verdict').className, document.body.innerText].join('|')"
ROWS = (
    "[...document.querySelectorAll('tbody tr')].map((row) => row.lastChild.textContent).join('|')"
)


@pytest.fixture
def browse(qtbot, tmp_path):
    """Return a function that opens a page, waits for a promise of it, and returns a text of it."""
    register_scheme()
    profile = QWebEngineProfile()
    page = QWebEnginePage(profile)

    def run(content: bytes, promise: str, code: str) -> str:
        path = tmp_path / "page.html"
        path.write_bytes(content)
        found: list[str] = []
        with qtbot.waitSignal(page.loadFinished, timeout=30_000):
            page.load(QUrl.fromLocalFile(str(path)))
        page.runJavaScript(f"{promise}.then((told) => {{ globalThis.told = told; }})")
        ready = f"'told' in globalThis ? {code} : ''"
        qtbot.waitUntil(
            lambda: page.runJavaScript(ready, found.append) or any(found), timeout=30_000
        )
        return next(filter(None, found))

    yield run
    Shiboken.delete(page)
    Shiboken.delete(profile)


def certificate(organiser, **changes: object) -> bytes:
    score = {"metric": "map", "value": "0.4", "low": "0.3", "high": "0.5", "level": "0.95"}
    body = {
        "competition": "Spotting <b>",
        "reference": "ab" * 32,
        "entry": "cd" * 32,
        "team": "Zoë </script><b>",
        "team_key": "",
        "ledger": {"number": 7, "hash": "ef" * 32, "looks": 2, "budget": 5},
        "issued": "2027-01-09T10:00:00Z",
        "scores": [{**score, "step": "0.1"}],
        "rank": {"place": "2-3", "of": 7, "nearest": "first", "compared": "better"},
        "stamp": "",
        "counts": True,
        "best": 7,
        "statement": "We saw no test labels.",
        "made": "",
        "contents": "",
        "profile": "published",
        "overruled": "",
        "policy": None,
    }
    return signed_bytes("certificate", {**body, **changes}, organiser)


def test_the_page_checks_its_certificate(browse, tmp_path):
    organiser, _ = key_pair("organiser", tmp_path)
    page = certificate_page(certificate(organiser))
    (tmp_path / "page.html").write_bytes(page)
    assert read_certificate(tmp_path / "page.html").team == "Zoë </script><b>"
    told = browse(page, "CertificatePage.checked", VERDICT)
    assert told.startswith("good|")
    shown = (organiser.text, organiser.words, "Zoë </script><b>", "[0.3, 0.5]", "Rank 2–3 of 7.")
    assert [one for one in shown if one not in told] == []
    altered = page.replace(b'"value":"0.4"', b'"value":"0.9"')
    assert altered != page
    (tmp_path / "page.html").write_bytes(altered)
    with pytest.raises(CertificateError, match="altered"):
        read_certificate(tmp_path / "page.html")
    told = browse(altered, "CertificatePage.checked", VERDICT)
    assert told.startswith("bad|")
    assert "0.9" not in told


def test_a_page_without_the_browser_s_cryptography_says_so(browse, tmp_path):
    organiser, _ = key_pair("organiser", tmp_path)
    page = certificate_page(certificate(organiser)).replace(b"crypto.subtle", b"crypto.none")
    # The policy of the page allows its own scripts alone.
    page = page.replace(b"http-equiv", b"data-was")
    told = browse(page, "CertificatePage.checked", VERDICT)
    assert told.startswith("warn|")
    assert "The signature cannot be checked here" in told


def test_the_board_checks_each_row(browse, tmp_path):
    organiser, _ = key_pair("organiser", tmp_path)
    made = [certificate(organiser), certificate(organiser, team="South", overruled="a prize")]
    board = EntryBoard(tuple(map(parse_certificate, made)))
    page = entry_board_page(board)
    valid = "valid, and this row is what was signed"
    assert browse(page, "EntryBoard.checked", ROWS) == f"{valid}|{valid}"
    other = "not valid: do not trust this row"
    for old, new in ((">South<", ">North<"), (">0.4 [0.3, 0.5]<", ">0.5 [0.3, 0.5]<")):
        first, last = page.decode().rsplit(old, 1)
        forged = f"{first}{new}{last}".encode()
        assert sorted(browse(forged, "EntryBoard.checked", ROWS).split("|")) == [other, valid]


@pytest.mark.parametrize("has_signatures", [True, False], ids=["browser", "page"])
def test_the_verdicts_are_those_of_the_reference_implementation(browse, tmp_path, has_signatures):
    organiser, _ = key_pair("organiser", tmp_path)
    cases = [one for one in VECTORS if not one["pinned"]]
    told = ", ".join(
        f"Signed.verdict({json.dumps(one['kind'])}, {json.dumps(json.dumps(one['document']))})"
        for one in cases
    )
    # A browser would read the last of two members, another program the first.
    twice = certificate(organiser).decode().replace('"team":', '"team": "East", "team":')
    assert twice.count('"East"') == 1
    told += f', Signed.verdict("certificate", {json.dumps(twice)})'
    page = certificate_page(certificate(organiser))
    if not has_signatures:  # as browsers before 2024 and 2025
        page = page.replace(b'"Ed25519"', b'"Ed25520"').replace(b"http-equiv", b"data-was")
    found = browse(page, f"Promise.all([{told}])", "JSON.stringify(told)")
    assert json.loads(found) == [*(one["expected"] for one in cases), "altered"]


SIGNED = """
Ed25519.verify(...KEY_SIGNATURE_MESSAGE.map(
  (text) => Uint8Array.from(text.match(/../g) || [], (one) => parseInt(one, 16))))
"""


def signature_cases(organiser, message: bytes) -> list[tuple[bytes, bytes, bytes]]:
    """Return keys, signatures and messages of which the first alone is valid."""
    dice = random.Random(len(message))
    signature = Ed25519PrivateKey.from_private_bytes(organiser.signing).sign(message)
    # The factor plus the group's order gives the same point, and is refused (RFC 8032).
    order = 2**252 + 27742317777372353535851937790883648493
    more = int.from_bytes(signature[32:], "little") + order
    changed = [signature[:32] + more.to_bytes(32, "little")]
    for at in (0, 31, 32, 63):
        bits = bytearray(signature)
        bits[at] ^= 1 << dice.randrange(8)
        changed.append(bytes(bits))
    return [
        (organiser.public, signature, message),
        (organiser.public, signature, message + b"."),
        (bytes(32), signature, message),
        *((organiser.public, one, message) for one in changed),
    ]


def test_the_page_s_own_check_takes_signatures_of_the_program_and_no_changed_bit(browse, tmp_path):
    organiser, _ = key_pair("organiser", tmp_path)
    messages = [random.Random(size).randbytes(size) for size in (0, 1, 2, 1023)]
    told = ", ".join(
        SIGNED.replace("KEY_SIGNATURE_MESSAGE", json.dumps([part.hex() for part in one]))
        for message in messages
        for one in signature_cases(organiser, message)
    )
    page = certificate_page(certificate(organiser))
    found = browse(page, f"Promise.all([{told}])", "JSON.stringify(told)")
    assert json.loads(found) == ([True] + [False] * 7) * len(messages)


AEAD = """
(() => {
  const bytes = (text) => Uint8Array.from(text.match(/../g).map((one) => parseInt(one, 16)));
  const plain = new TextEncoder().encode("Ladies and Gentlemen of the class of '99: If I could "
    + "offer you only one tip for the future, sunscreen would be it.");
  const key = Uint8Array.from({ length: 32 }, (_, i) => 0x80 + i);
  return Signed.hex(Sealing.encrypted(
    key, bytes("070000004041424344454647"), plain, bytes("50515253c0c1c2c3c4c5c6c7")));
})()
"""
"""Example of RFC 8439, section 2.8.2, whose tag ends what it returns."""
PRESSED = """
(async () => {
  const saved = [];
  HTMLAnchorElement.prototype.click = function () { saved.push([this.download, this.href]); };
  await Page.checkFiles([new File([SOURCE], "lister.json")]);
  document.getElementById("team").value = "  Zoë   & Söhne";
  document.getElementById("statement").value = "no test data";
  document.querySelector("#results button:not([hidden])").click();
  const until = (ready) => new Promise((done) => {
    const ask = () => (ready() ? done() : setTimeout(ask, 20));
    ask();
  });
  await until(() => document.getElementById("sealed").textContent.includes("saved"));
  const files = {};
  for (const [name, url] of saved) {
    const bytes = new Uint8Array(await (await fetch(url)).arrayBuffer());
    let text = "";
    for (const one of bytes) text += String.fromCharCode(one);
    files[name] = btoa(text);
  }
  return JSON.stringify({ files, aead: AEAD, said: document.getElementById("sealed").textContent });
})()
"""


def test_an_entry_that_the_kit_s_page_seals_opens_in_the_program(browse, tmp_path):
    organiser, _ = key_pair("organiser", tmp_path)
    case = example_case(registry().tasks["captions"])
    keys = EntryKeys(organiser.text, organiser.encryption_text, "ab" * 32)
    kit = replace(case.kit(tmp_path), entries=keys)
    page = checker_page_bytes(kit, require_redaction(case.task))
    # Runs of blanks keep it valid JSON, and take it across two borders of chunks.
    (lister,) = (one for one in case.submissions if one.name == "lister.json")
    source = lister.read_bytes() + b" " * (2 * CHUNK_BYTES)
    code = PRESSED.replace("SOURCE", json.dumps(source.decode())).replace("AEAD", AEAD)
    page = page.replace(b"default-src 'none'", b"default-src blob:")  # to read what was saved
    found = json.loads(browse(page, code, "told"))
    assert found["aead"].endswith("1ae10b594f09e26a7e902ecbd0600691")
    files = {name: base64.b64decode(text) for name, text in found["files"].items()}
    assert [*files] == ["lister.juryentry", "team.json"]
    (tmp_path / "keys" / "team.json").write_bytes(files["team.json"])
    (tmp_path / "keys" / "team.json").chmod(0o600)
    team, is_new = key_pair("team", tmp_path)
    (tmp_path / "a.juryentry").write_bytes(files["lister.juryentry"])
    entry = read_entry(tmp_path / "a.juryentry")
    assert (entry.key, is_new, team.words in found["said"]) == (team.public, False, True)
    assert (entry.team, entry.statement, entry.reference, entry.is_encrypted) == (
        "Zoë & Söhne",
        "no test data",
        kit.sha256,
        True,
    )
    (tmp_path / "out").mkdir()
    (path,) = unpack_entry(entry, organiser.encryption, tmp_path / "out", Run())
    assert path.read_bytes() == source


def test_only_kits_with_keys_offer_to_seal(tmp_path):
    case = example_case(registry().tasks["captions"])
    page = checker_page_bytes(case.kit(tmp_path), require_redaction(case.task))
    assert b"SealedEntry =" not in page
