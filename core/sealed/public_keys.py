"""Public keys as people compare them: a text with a checksum, and eight words."""

from __future__ import annotations

import base64
import hashlib

SIGNING, ENCRYPTION = "jdk1", "jdx1"
"""First letters of the texts of public keys for signatures, and for encryption."""
KEY_BYTES, CHECK_BYTES = 32, 3
PRIME = 2**255 - 19
_ORDER_8 = int.from_bytes(
    bytes.fromhex("26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05"), "little"
)
SMALL_ORDER = frozenset((0, 1, PRIME - 1, _ORDER_8, PRIME - _ORDER_8))
"""The y coordinates of the eight points of small order, under which any message verifies."""
CONSONANTS, VOWELS = "bdfghjklmnprstvz", "aiou"
WORDS = 8


class PublicKeyError(ValueError):
    """Text that is no public key; the message is for the user."""


def key_text(key: bytes, kind: str = SIGNING) -> str:
    """Return the text of a public key: its kind, then key and checksum in base 32."""
    return kind + base64.b32encode(key + _checksum(key, kind)).decode().lower().rstrip("=")


def parse_key_text(text: str, kind: str = SIGNING) -> bytes:
    """Return the public key of a text; raise PublicKeyError for a wrong or mistyped one."""
    plain = text.strip().lower()
    try:
        content = base64.b32decode(plain.removeprefix(kind).upper())
    except ValueError:
        content = b""
    if not plain.startswith(kind) or not content:
        raise PublicKeyError("This is not a public key of Jurydesk.")
    key = content[:KEY_BYTES]
    if content[KEY_BYTES:] != _checksum(key, kind):
        raise PublicKeyError("A letter of this public key is wrong: copy it again.")
    return key


def _checksum(key: bytes, kind: str) -> bytes:
    return hashlib.sha256(kind.encode() + key).digest()[:CHECK_BYTES]


def key_words(key: bytes) -> str:
    """Return eight words to read aloud: 128 bits of the key's hash, 16 a word.

    A word has consonants and vowels in turn, as Wilkerson's proquints (arXiv:0901.4016), so that no
    list of a language is needed.
    """
    digest = hashlib.sha256(SIGNING.encode() + key).digest()
    return " ".join(
        _word(int.from_bytes(digest[2 * number : 2 * number + 2], "big")) for number in range(WORDS)
    )


def _word(value: int) -> str:
    letters = ""
    for position in range(5):
        source, bits = (VOWELS, 2) if position % 2 else (CONSONANTS, 4)
        letters = source[value & (2**bits - 1)] + letters
        value >>= bits
    return letters


def is_weak(key: bytes) -> bool:
    """Return whether a public key is of small order, or not in its only canonical form."""
    y = int.from_bytes(key, "little") & (2**255 - 1)
    return y in SMALL_ORDER or y >= PRIME
