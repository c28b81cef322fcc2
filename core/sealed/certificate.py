"""Certificate of a look at the hidden data (`*.jurycert`, or a page that contains it).

The organiser signs it. Lists of revocations are signed with the same key.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal

from jurydesk.core.language import failure_reason, fill, translatable
from jurydesk.core.model.decoding import DAMAGE
from jurydesk.core.model.evaluation import NO_JSON, Json
from jurydesk.core.model.json_codec import from_json
from jurydesk.core.model.json_text import parse_json
from jurydesk.core.model.system_names import one_line
from jurydesk.core.sealed.key_store import KeyPair
from jurydesk.core.sealed.public_keys import key_text
from jurydesk.core.sealed.signed_document import (
    SignedDocumentError,
    read_signed,
    sign_document,
)

SUFFIX = ".jurycert"
ELEMENT = "certificate"
"""Id of the element of a page that contains a certificate."""
MAX_BYTES = 16 << 20
_KIND = re.compile(rb'"kind"\s*:\s*"jurydesk-certificate"')
IN_PAGE = re.compile(
    rf'<script type="application/json" id="{ELEMENT}">(?P<json>.*?)</script>'.encode(), re.DOTALL
)

PLACE = re.compile(r"(\d{1,9}(-\d{1,9})?)?", re.ASCII)


class CertificateError(Exception):
    """Certificate or list that cannot be read or trusted; the message is for the user."""


@dataclass(frozen=True, slots=True)
class CertifiedScore:
    """Score as a certificate tells it: texts, since a signature covers no fractions.

    `step` is that of rounding, empty if the score is exact; without limits there is no interval.
    """

    metric: str
    value: str
    low: str = ""
    high: str = ""
    level: str = ""
    step: str = ""


@dataclass(frozen=True, slots=True)
class CertifiedRank:
    """Ranks that tests leave to an entry among `of` systems, itself included.

    `compared` is `better`, `worse` or `not significant` against the `nearest` published system.
    """

    place: str
    of: int
    nearest: str = ""
    compared: str = ""


@dataclass(frozen=True, slots=True)
class CertifiedLook:
    """Row of the ledger that a certificate stands for, and which of how many looks it was."""

    number: int
    hash: str
    looks: int
    budget: int


@dataclass(frozen=True, slots=True)
class Certificate:
    """Certificate whose signature is valid.

    `issued` is the ledger's time, `made` the participant's claim. If it does not count, the scores
    are those of the team's best look, `best`. `overruled` is why the organiser scored the entry
    beyond the policy. `organiser` is the key that signed, `sha256` the hash of the certificate and
    `document` the whole of it; the body has none of them.
    """

    competition: str
    reference: str
    entry: str
    team: str
    team_key: str
    ledger: CertifiedLook
    issued: str
    scores: tuple[CertifiedScore, ...]
    rank: CertifiedRank
    stamp: str = ""
    counts: bool = True
    best: int = 0
    statement: str = ""
    made: str = ""
    contents: str = ""
    profile: str = ""
    overruled: str = ""
    policy: Mapping[str, Any] | None = None
    organiser: bytes = field(default=b"", metadata=NO_JSON)
    sha256: str = field(default="", metadata=NO_JSON)
    document: Json = field(default=None, metadata=NO_JSON)

    @property
    def organiser_text(self) -> str:
        """Text of the organiser's public key."""
        return key_text(self.organiser)


def read_certificate(path: Path, pinned: bytes | None = None) -> Certificate:
    """Read a certificate, or the page that contains one; raise CertificateError unless valid.

    `pinned` is the organiser's key, if it is known.
    """
    content = _read(path)
    if content.lstrip()[:1] == b"<":
        pages = IN_PAGE.findall(content)
        if len(pages) != 1:
            raise CertificateError(fill("{name} contains no certificate.", path.name))
        content = pages[0]
    try:
        return parse_certificate(content, pinned)
    except CertificateError as error:
        raise CertificateError(fill("{name}: {problem}", path.name, error)) from error


def is_certificate(path: Path) -> bool:
    """Return whether a file is made as a certificate or the page of one; it may not be valid."""
    try:
        content = _read(path).lstrip()
    except CertificateError:
        return False
    kind = IN_PAGE if content[:1] == b"<" else _KIND
    return content[:1] in (b"<", b"{") and kind.search(content) is not None


def _read(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            content = file.read(MAX_BYTES + 1)
    except OSError as error:
        reason = failure_reason(error)
        raise CertificateError(fill("{name}: {reason:lower}.", path.name, reason)) from error
    if len(content) > MAX_BYTES:
        raise CertificateError(fill("{name} is too large for a certificate.", path.name))
    return content


def parse_certificate(content: bytes, pinned: bytes | None = None) -> Certificate:
    """Return the certificate of a JSON document; raise CertificateError unless it is valid."""
    try:
        found = read_signed("certificate", content, pinned)
    except SignedDocumentError as error:
        raise CertificateError(str(error)) from error
    try:
        certificate = from_json(Certificate, found.body)
        _require_lines(certificate)
    except DAMAGE as error:
        text = translatable("The signature is valid, but it is a certificate of another version.")
        raise CertificateError(text) from error
    document = parse_json(content)
    return replace(certificate, organiser=found.key, sha256=found.sha256, document=document)


def _require_lines(certificate: Certificate) -> None:
    """Raise ValueError for a line break where one line is shown, or a rank that is not a number.

    Anyone can sign with a key of their own, and could otherwise forge printed lines.
    """
    scores = (text for one in certificate.scores for text in (one.metric, one.value, one.low))
    names = ("competition", "reference", "entry", "team", "issued", "stamp", "profile")
    shown = "".join([*(getattr(certificate, name) for name in names), *scores])
    shown += certificate.rank.nearest + certificate.overruled
    if shown != one_line(shown) or not PLACE.fullmatch(certificate.rank.place):
        raise ValueError


def signed_bytes(
    kind: Literal["certificate", "revocations"], body: dict[str, Json], organiser: KeyPair
) -> bytes:
    """Return the file of a certificate or of a list of revocations: one body gives one file."""
    document = sign_document(kind, body, organiser.signing)
    return f"{json.dumps(document, ensure_ascii=False, indent=1, sort_keys=True)}\n".encode()


@dataclass(frozen=True, slots=True)
class Revocation:
    """Entry, or key of a team, whose certificates are no longer valid from a time on, and why."""

    what: Literal["entry", "key"]
    value: str
    time: str
    reason: str = ""


def read_revocations(path: Path, pinned: bytes | None = None) -> tuple[bytes, list[Revocation]]:
    """Read a signed list of revocations, with the key that signed it; raise CertificateError."""
    try:
        found = read_signed("revocations", _read(path), pinned)
        revoked = [from_json(Revocation, one) for one in found.body["revoked"]]
    except SignedDocumentError as error:
        raise CertificateError(fill("{name}: {problem}", path.name, error)) from error
    except DAMAGE as error:
        raise CertificateError(fill("{name} is not a list of revocations.", path.name)) from error
    return found.key, revoked


def revocation_of(certificate: Certificate, revoked: list[Revocation]) -> Revocation | None:
    """Return why a certificate is not valid any more, or None.

    A revoked key takes only the certificates that were issued after its revocation.
    """
    for one in revoked:
        if one.what == "entry" and one.value == certificate.entry:
            return one
        is_later = certificate.issued >= one.time
        if one.what == "key" and one.value == certificate.team_key and is_later:
            return one
    return None
