"""Encryption for one recipient: a random key by HPKE (RFC 9180), then chunks of the content.

HPKE is X25519 with HKDF-SHA256 and ChaCha20-Poly1305. The nonce of a chunk is its number, with a
mark on the last one, so that chunks cannot be exchanged, repeated or left out.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Iterator
from typing import IO, TYPE_CHECKING

from jurydesk.core.language import translatable
from jurydesk.core.sealed.public_keys import PublicKeyError

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.hpke import Suite

CHUNK_BYTES, TAG_BYTES = 64 << 10, 16
WRAPPED_BYTES = 32 + 32 + TAG_BYTES
"""Size of the encapsulated key, at the beginning."""
DAMAGED = translatable("Its content was altered, cut off, or encrypted for another organiser.")


class DecryptionError(Exception):
    """Content that was not encrypted for this key and purpose; the message is for the user."""


def encrypt_content(content: Iterable[bytes], recipient: bytes, info: bytes) -> Iterator[bytes]:
    """Yield content that only the recipient's private key opens, with the same `info`.

    Raises PublicKeyError for a weak key, with which everybody would share the secret.
    """
    from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PublicKey
    from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

    key = secrets.token_bytes(32)
    try:
        yield _suite().encrypt(key, X25519PublicKey.from_public_bytes(recipient), info=info)
    except ValueError as error:
        raise PublicKeyError("The organiser's key is weak: anyone could read the entry.") from error
    cipher, buffer, number = ChaCha20Poly1305(key), bytearray(), 0
    for block in content:
        buffer += block
        while len(buffer) > CHUNK_BYTES:
            yield cipher.encrypt(_nonce(number), bytes(buffer[:CHUNK_BYTES]), None)
            del buffer[:CHUNK_BYTES]
            number += 1
    yield cipher.encrypt(_nonce(number, last=True), bytes(buffer), None)


def decrypt_content(source: IO[bytes], secret: bytes, info: bytes) -> Iterator[bytes]:
    """Yield the content of `encrypt_content` by chunks; raise DecryptionError for any other.

    The last chunk is yielded only if nothing follows it.
    """
    from cryptography.exceptions import InvalidTag
    from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey
    from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

    private = X25519PrivateKey.from_private_bytes(secret)
    try:
        key = _suite().decrypt(_read_fully(source, WRAPPED_BYTES), private, info=info)
        cipher, number = ChaCha20Poly1305(key), 0
        chunk = _read_fully(source, CHUNK_BYTES + TAG_BYTES)
        while following := _read_fully(source, CHUNK_BYTES + TAG_BYTES):
            yield cipher.decrypt(_nonce(number), chunk, None)
            chunk, number = following, number + 1
        yield cipher.decrypt(_nonce(number, last=True), chunk, None)
    except (InvalidTag, ValueError) as error:
        raise DecryptionError(DAMAGED) from error


def _read_fully(source: IO[bytes], size: int) -> bytes:
    found = bytearray()
    while len(found) < size and (block := source.read(size - len(found))):
        found += block
    return bytes(found)


def _nonce(number: int, *, last: bool = False) -> bytes:
    return number.to_bytes(11, "big") + bytes([last])


def _suite() -> Suite:
    from cryptography.hazmat.primitives.hpke import AEAD, KDF, KEM, Suite

    return Suite(KEM.X25519, KDF.HKDF_SHA256, AEAD.CHACHA20_POLY1305)
