"""Private keys in the folder of settings, one for each role, made on first use.

A file can be read by its user alone. It is never copied by this program.
"""

from __future__ import annotations

import base64
import json
import os
import secrets
import stat
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from jurydesk.core.language import failure_reason, fill, translatable
from jurydesk.core.model.decoding import DAMAGE
from jurydesk.core.model.json_text import parse_json
from jurydesk.core.sealed.public_keys import ENCRYPTION, KEY_BYTES, key_text, key_words
from jurydesk.core.sealed.signed_document import require_sealing
from jurydesk.core.system.paths import config_folder, is_temporary_folder, temporary_path

Role = Literal["team", "organiser"]
FORMAT, FOLDER = "jurydesk private key", "keys"
FILES: dict[Role, str] = {"team": "team.json", "organiser": "organiser.json"}
MAX_BYTES = 10_000
KEY_MADE = translatable(
    "A key without a passphrase was made: {path}. Only you can read it; keep a copy."
)


class KeyStoreError(Exception):
    """Key that cannot be made or read; the message is for the user."""


@dataclass(frozen=True, slots=True)
class KeyPair:
    """Private key of a role: the seed of its signatures, and the secret of its encryption."""

    path: Path
    signing: bytes
    encryption: bytes

    def __repr__(self) -> str:
        return f"KeyPair({self.text})"

    @property
    def public(self) -> bytes:
        """Public key for signatures."""
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

        private = Ed25519PrivateKey.from_private_bytes(self.signing)
        return private.public_key().public_bytes_raw()

    @property
    def public_encryption(self) -> bytes:
        """Public key for encryption."""
        from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey

        private = X25519PrivateKey.from_private_bytes(self.encryption)
        return private.public_key().public_bytes_raw()

    @property
    def text(self) -> str:
        """Text of the public key for signatures."""
        return key_text(self.public)

    @property
    def encryption_text(self) -> str:
        """Text of the public key for encryption."""
        return key_text(self.public_encryption, ENCRYPTION)

    @property
    def words(self) -> str:
        """Words of the public key for signatures."""
        return key_words(self.public)


def key_pair(role: Role, folder: Path | None = None) -> tuple[KeyPair, bool]:
    """Return the key of a role, made if there is none, and whether it is new.

    `folder` is that of the settings if not given. Raises KeyStoreError and ResourceMissing.
    """
    require_sealing()
    path = _key_path(role, folder)
    try:
        made = not path.exists() and _create(path, role)
        return _read(path, role), made
    except OSError as error:
        reason = failure_reason(error)
        raise KeyStoreError(fill("{path}: {reason:lower}.", path, reason)) from error


def _key_path(role: Role, folder: Path | None) -> Path:
    settings = config_folder() if folder is None else folder
    if is_temporary_folder(settings):
        raise KeyStoreError("The folder of settings cannot be written: a key would be lost.")
    return settings / FOLDER / FILES[role]


def _create(path: Path, role: Role) -> bool:
    """Create a key; return False if another program was faster."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    content = {
        "format": FORMAT,
        "role": role,
        **{name: _encode(secrets.token_bytes(KEY_BYTES)) for name in ("signing", "encryption")},
    }
    temporary = temporary_path(path)
    try:
        descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "w", encoding="ascii") as file:
            json.dump(content, file, indent=1)
            file.flush()
            os.fsync(file.fileno())
        os.link(temporary, path)
    except FileExistsError:
        return False
    finally:
        with suppress(FileNotFoundError):
            temporary.unlink()
    return True


def _encode(content: bytes) -> str:
    return base64.b64encode(content).decode()


def _read(path: Path, role: Role) -> KeyPair:
    if os.name == "posix" and stat.S_IMODE(path.stat().st_mode) & 0o077:
        raise KeyStoreError(
            fill("{path} can be read by others: take their permission (chmod 600).", path)
        )
    with path.open("rb") as file:
        content = file.read(MAX_BYTES)
    try:
        found = parse_json(content)
        if (found["format"], found["role"]) != (FORMAT, role):
            raise ValueError
        parts = [base64.b64decode(found[name], validate=True) for name in ("signing", "encryption")]
        if [len(one) for one in parts] != [KEY_BYTES, KEY_BYTES]:
            raise ValueError
    except DAMAGE as error:
        raise KeyStoreError(fill("{path} is not a private key, or it is damaged.", path)) from error
    return KeyPair(path, *parts)
