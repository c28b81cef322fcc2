"""Pages of sealed entries in a browser: signatures are checked there as the program checks them."""

from __future__ import annotations

import json

import pytest
from PySide6.QtCore import QUrl
from PySide6.QtWebEngineCore import QWebEnginePage, QWebEngineProfile
from shiboken6 import Shiboken

from jurydesk.app.rating_client.url_scheme import register_scheme
from jurydesk.core.export.html_report.certificate_page import certificate_page
from jurydesk.core.export.html_report.entry_board import EntryBoard, entry_board_page
from jurydesk.core.sealed.certificate import (
    CertificateError,
    parse_certificate,
    read_certificate,
    signed_bytes,
)
from jurydesk.core.sealed.key_store import key_pair
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


def test_a_browser_without_signatures_says_so(browse, tmp_path):
    organiser, _ = key_pair("organiser", tmp_path)
    page = certificate_page(certificate(organiser)).replace(b'"Ed25519"', b'"Ed25520"')
    # The policy of the page allows its own scripts alone.
    page = page.replace(b"http-equiv", b"data-was")
    told = browse(page, "CertificatePage.checked", VERDICT)
    assert told.startswith("warn|")
    assert "This browser cannot check the signature" in told


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


def test_the_verdicts_are_those_of_the_reference_implementation(browse, tmp_path):
    organiser, _ = key_pair("organiser", tmp_path)
    cases = [one for one in VECTORS if not one["pinned"]]
    told = ", ".join(
        f"Signed.verdict({json.dumps(one['kind'])}, {json.dumps(json.dumps(one['document']))})"
        for one in cases
    )
    page = certificate_page(certificate(organiser))
    found = browse(page, f"Promise.all([{told}])", "JSON.stringify(told)")
    assert json.loads(found) == [one["expected"] for one in cases]
