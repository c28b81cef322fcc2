from __future__ import annotations

import base64
import json
import sys

import pytest

from jurydesk.core.desk.hash_chain import first_bad_row
from jurydesk.core.model.evaluation import ResourceMissing
from jurydesk.core.sealed.public_keys import (
    ENCRYPTION,
    PRIME,
    PublicKeyError,
    is_weak,
    key_text,
    key_words,
    parse_key_text,
)
from jurydesk.core.sealed.signed_document import (
    SignedDocumentError,
    check_document,
    message_sha256,
    read_signed,
    sign_document,
)
from support.oracles import oracle

VECTORS = json.loads(oracle("sealed/vectors.json").read_text(encoding="utf-8"))
SEED = bytes(range(32))


@pytest.mark.parametrize("case", VECTORS["cases"], ids=lambda one: one["name"])
def test_the_verdict_is_that_of_the_reference_implementation(case) -> None:
    pinned = base64.b64decode(case["pinned"]) if case["pinned"] else None
    assert check_document(case["kind"], case["document"], pinned) == case["expected"]
    if case["message_sha256"]:
        body = case["document"]["body"]
        assert message_sha256(case["kind"], body) == case["message_sha256"]


@pytest.mark.parametrize("ledger", VECTORS["ledgers"])
def test_the_first_bad_row_of_a_ledger_is_that_of_the_reference_implementation(ledger) -> None:
    assert first_bad_row(ledger["rows"]) == ledger["first_bad"]


def test_the_signature_is_that_of_rfc_8032() -> None:
    """Its key of TEST 1, and a signature of another program over the same bytes is ours."""
    seed = bytes.fromhex("9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60")
    document = sign_document("entry", {}, seed)
    key = bytes.fromhex("d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a")
    assert base64.b64decode(document["key"]) == key


def signed(**changes: object) -> bytes:
    document = sign_document("entry", {"team": "North", "files": []}, SEED)
    return json.dumps({**document, **changes}).encode()


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"", "damaged"),
        (b"[1, 2]", "another kind"),
        (b"{" * 200, "damaged"),
        (signed()[:-3], "damaged"),
        (signed().replace(b'"team"', b'"team": "South", "team"'), "damaged"),
        (signed(kind="jurydesk-certificate"), "another kind"),
        (signed(schema=2), "another kind"),
        (signed(more=1), "altered"),
        (signed(body={"team": "\ud800", "files": []}), "altered"),
        (signed(body={"team": 2**53}), "cannot be signed"),
        (signed(key="?"), "wrong length"),
        (signed(signature=None), "wrong length"),
        (signed(body=[]), "another kind"),
        (b" " * (5 << 20), "too large"),
    ],
)
def test_a_document_that_is_not_what_it_claims_is_refused_with_the_reason(content, says) -> None:
    with pytest.raises(SignedDocumentError, match=says):
        read_signed("entry", content)


def test_all_points_of_small_order_are_weak_in_every_form() -> None:
    """The table of Chalkias, Garillot and Nikolaenko, Taming the many EdDSAs (2020), Table 6.1."""
    points = (
        "0100000000000000000000000000000000000000000000000000000000000000",
        "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
        "0000000000000000000000000000000000000000000000000000000000000080",
        "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
        "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85",
        "0000000000000000000000000000000000000000000000000000000000000000",
        "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa",
        "0100000000000000000000000000000000000000000000000000000000000080",
        "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
        "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
        "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
    )
    assert all(is_weak(bytes.fromhex(one)) for one in points)
    assert not is_weak((PRIME - 2).to_bytes(32, "little"))
    assert not is_weak(base64.b64decode(sign_document("entry", {}, SEED)["key"]))


def test_a_public_key_is_read_from_its_text_and_no_mistyped_one() -> None:
    text = key_text(SEED)
    assert parse_key_text(f" {text.upper()}\n") == SEED
    assert (text[:4], len(text)) == ("jdk1", 60)
    wrong = [text[:-1], text[:20] + ("a" if text[20] != "a" else "b") + text[21:], "jdk1", "", "x"]
    for one in [*wrong, key_text(SEED, ENCRYPTION), text + "aaaaaaaa", "jdk1é" + text[5:]]:
        with pytest.raises(PublicKeyError):
            parse_key_text(one)


def test_words_are_eight_and_differ_with_the_key() -> None:
    words = key_words(SEED).split()
    assert [len(one) for one in words] == [5] * 8
    other = key_words(SEED[::-1]).split()
    assert all(one != two for one, two in zip(words, other, strict=True))


def test_without_the_package_it_is_said_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "cryptography.hazmat.primitives.hpke", None)
    monkeypatch.setitem(sys.modules, "cryptography.hazmat.primitives", None)
    with pytest.raises(ResourceMissing, match=r"pip install 'jurydesk\[sealed\]'"):
        sign_document("entry", {}, SEED)
