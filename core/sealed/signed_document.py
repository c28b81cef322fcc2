"""Signed documents: entries, certificates and lists of revocations as JSON.

A signature covers the kind and the whole body, so that none serves another purpose.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from jurydesk.core.language import translatable
from jurydesk.core.model.canonical_json import FloatSignedError, canonical_bytes
from jurydesk.core.model.evaluation import Json, ResourceMissing
from jurydesk.core.model.json_text import parse_json
from jurydesk.core.sealed.public_keys import KEY_BYTES, is_weak
from jurydesk.core.system.extras import install_hint

Kind = Literal["entry", "certificate", "revocations"]
Verdict = Literal[
    "ok",
    "altered",
    "another key",
    "weak key",
    "wrong length",
    "another kind of document",
    "floats are not signed",
]
VERDICTS: Mapping[Verdict, str] = {
    "ok": translatable("The signature is valid."),
    "altered": translatable("It was altered after it was signed."),
    "another key": translatable("It was signed with another key."),
    "weak key": translatable("Its key is weak: any text would seem to be signed with it."),
    "wrong length": translatable("Its key or its signature has a wrong length."),
    "another kind of document": translatable("It is another kind of document."),
    "floats are not signed": translatable("It has numbers that cannot be signed."),
}
"""What a verdict says, as sentences."""
SCHEMA = 1
SIGNATURE_BYTES = 64
MEMBERS = {"kind", "schema", "body", "key", "signature"}
MAX_DOCUMENT_BYTES = 4 << 20


def require_sealing() -> None:
    """Raise ResourceMissing, with what to install, unless signatures can be made and checked."""
    try:
        from cryptography.hazmat.primitives import hpke  # noqa: F401
    except ImportError as error:
        reason = translatable(
            "Sealed entries need the package cryptography, which is missing or too old: {hint}."
        )
        raise ResourceMissing(reason.format(hint=install_hint("sealed"))) from error


def signed_message(kind: Kind, body: Json) -> bytes:
    """Return the bytes that are signed; raise ValueError for a body without a canonical form."""
    return f"jurydesk-{kind}-v{SCHEMA}\n".encode() + canonical_bytes(body)


def message_sha256(kind: Kind, body: Json) -> str:
    """Return the hash by which a signed document is known."""
    return hashlib.sha256(signed_message(kind, body)).hexdigest()


def sign_document(kind: Kind, body: dict[str, Json], secret: bytes) -> dict[str, Json]:
    """Return the document of a body, signed with the seed of an Ed25519 key."""
    require_sealing()
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    key = Ed25519PrivateKey.from_private_bytes(secret)
    signature = key.sign(signed_message(kind, body))
    return {
        "kind": f"jurydesk-{kind}",
        "schema": SCHEMA,
        "body": body,
        "key": base64.b64encode(key.public_key().public_bytes_raw()).decode(),
        "signature": base64.b64encode(signature).decode(),
    }


def check_document(kind: Kind, document: Json, pinned: bytes | None = None) -> Verdict:
    """Return whether a document of this kind was signed, and with the `pinned` key if given."""
    if not _is_of_kind(kind, document):
        return "another kind of document"
    try:
        message = signed_message(kind, document["body"])
    except FloatSignedError:
        return "floats are not signed"
    except (ValueError, TypeError, RecursionError):
        return "altered"
    key, signature = (_decode(document.get(name)) for name in ("key", "signature"))
    if len(key) != KEY_BYTES or len(signature) != SIGNATURE_BYTES:
        return "wrong length"
    if is_weak(key):
        return "weak key"
    if pinned is not None and key != pinned:
        return "another key"
    return "ok" if {*document} == MEMBERS and _is_signed(key, signature, message) else "altered"


def _is_of_kind(kind: Kind, document: Json) -> bool:
    return (
        isinstance(document, dict)
        and document.get("kind") == f"jurydesk-{kind}"
        and document.get("schema") == SCHEMA
        and isinstance(document.get("body"), dict)
    )


def _decode(text: Json) -> bytes:
    try:
        return base64.b64decode(text, validate=True) if isinstance(text, str) else b""
    except (binascii.Error, ValueError):
        return b""


def _is_signed(key: bytes, signature: bytes, message: bytes) -> bool:
    require_sealing()
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    try:
        Ed25519PublicKey.from_public_bytes(key).verify(signature, message)
    except (InvalidSignature, ValueError):
        return False
    return True


class SignedDocumentError(Exception):
    """Document that is not what it claims; the message is for the user."""


@dataclass(frozen=True, slots=True)
class SignedDocument:
    """Document whose signature is valid: its body, its public key, and its hash."""

    body: Mapping[str, Json]
    key: bytes
    sha256: str


def read_signed(kind: Kind, content: bytes, pinned: bytes | None = None) -> SignedDocument:
    """Return a document whose signature is valid; raise SignedDocumentError for any other."""
    if len(content) > MAX_DOCUMENT_BYTES:
        raise SignedDocumentError("It is too large for a signed document.")
    try:
        document = parse_json(content, unique=True)
    except ValueError as error:
        raise SignedDocumentError("It is not a signed document, or it is damaged.") from error
    verdict = check_document(kind, document, pinned)
    if verdict != "ok":
        raise SignedDocumentError(VERDICTS[verdict])
    body = document["body"]
    return SignedDocument(body, _decode(document["key"]), message_sha256(kind, body))
