from __future__ import annotations

import hashlib
import io
import json
import os
import stat
import struct
import tracemalloc
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from jurydesk.core.execution.run import Run
from jurydesk.core.sealed.encryption import (
    CHUNK_BYTES,
    DecryptionError,
    decrypt_content,
    encrypt_content,
)
from jurydesk.core.sealed.entry_file import (
    DOCUMENT,
    ENCRYPTED,
    MAX_DIRECTORY_BYTES,
    PLAIN,
    Entry,
    EntryClaims,
    EntryError,
    info_of_body,
    read_entry,
    seal_entry,
    unpack_entry,
)
from jurydesk.core.sealed.key_store import KeyPair, KeyStoreError, key_pair
from jurydesk.core.sealed.public_keys import PublicKeyError
from jurydesk.core.sealed.signed_document import sign_document
from support.files.odd_zip import ODD_ZIPS, with_other_bytes

INFO = b"purpose"


@pytest.fixture(scope="module")
def keys(tmp_path_factory: pytest.TempPathFactory) -> tuple[KeyPair, KeyPair]:
    folder = tmp_path_factory.mktemp("settings")
    return key_pair("team", folder)[0], key_pair("organiser", folder)[0]


Seal = Callable[..., Path]


@pytest.fixture
def seal(keys: tuple[KeyPair, KeyPair], tmp_path: Path) -> Seal:
    team, organiser = keys

    def call(files: dict[str, bytes], *, plain: bool = False, statement: str = "none") -> Path:
        paths = {}
        for number, (title, content) in enumerate(files.items()):
            paths[title] = tmp_path / f"{number}.in"
            paths[title].write_bytes(content)
        target = tmp_path / "sealed.juryentry"
        recipient = None if plain else organiser.public_encryption
        claims = EntryClaims("Stories", "ab" * 32, "North", statement)
        seal_entry(target, paths, claims, team, recipient, Run())
        return target

    return call


def unpacked(path: Path, keys: tuple[KeyPair, KeyPair], folder: Path) -> dict[str, bytes]:
    entry = read_entry(path)
    folder.mkdir()
    found = unpack_entry(entry, keys[1].encryption, folder, Run())
    return {one.relative_to(folder).as_posix(): one.read_bytes() for one in found}


FILES = {"run.txt": b"q0 Q0 d0 1 0.4998 r\n", "more/a.bin": os.urandom(3 * CHUNK_BYTES), "e": b""}


@pytest.mark.parametrize("plain", [False, True])
def test_an_entry_gives_back_the_files_that_were_sealed(seal, keys, tmp_path, plain) -> None:
    path = seal(FILES, plain=plain)
    assert unpacked(path, keys, tmp_path / "out") == FILES
    entry = read_entry(path)
    assert (entry.team, entry.statement, entry.key) == ("North", "none", keys[0].public)
    assert entry.is_encrypted is not plain
    with zipfile.ZipFile(path) as archive:
        assert (FILES["run.txt"] in b"".join(map(archive.read, archive.namelist()))) is plain


def rewritten(path: Path, change: Callable[[dict[str, bytes]], None]) -> Path:
    """Return a copy of a zip whose members were changed."""
    with zipfile.ZipFile(path) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    change(members)
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return path


def flip(name: str, place: int = -1) -> Callable[[dict[str, bytes]], None]:
    def change(members: dict[str, bytes]) -> None:
        content = bytearray(members[name])
        content[place] ^= 1
        members[name] = bytes(content)

    return change


def cut(members: dict[str, bytes]) -> None:
    members[ENCRYPTED] = members[ENCRYPTED][:-1]


def drop_chunk(members: dict[str, bytes]) -> None:
    first = 80 + CHUNK_BYTES + 16
    members[ENCRYPTED] = members[ENCRYPTED][:80] + members[ENCRYPTED][first:]


def cut_chunk(members: dict[str, bytes]) -> None:
    members[ENCRYPTED] = members[ENCRYPTED][: 80 + 2 * (CHUNK_BYTES + 16)]


def append(members: dict[str, bytes]) -> None:
    members[ENCRYPTED] += b"x"


@pytest.mark.parametrize(
    "change", [flip(ENCRYPTED), flip(ENCRYPTED, 3), cut, cut_chunk, drop_chunk, append]
)
def test_encrypted_files_that_were_altered_are_refused(seal, keys, tmp_path, change) -> None:
    path = rewritten(seal(FILES), change)
    with pytest.raises(EntryError, match="altered, cut off"):
        unpacked(path, keys, tmp_path / "out")


def test_a_file_that_hashes_alike_in_the_prefix_is_refused(seal, keys, tmp_path) -> None:
    """Found by trying: both SHA-256 begin with 45b321852."""
    one, other = b"01a36e", b"01be22"
    alike = {hashlib.sha256(each).hexdigest()[:9] for each in (one, other)}
    assert alike == {"45b321852"}
    path = seal({"run.txt": one}, plain=True)
    rewritten(path, lambda members: members.update({f"{PLAIN}run.txt": other}))
    with pytest.raises(EntryError, match="not the one that was signed"):
        unpacked(path, keys, tmp_path / "out")


@pytest.mark.parametrize(
    ("content", "says"), [(b"2", "not the one that was signed"), (b"12", "more content")]
)
def test_content_that_somebody_else_encrypted_is_refused(seal, keys, tmp_path, content, says):
    path = seal({"x": b"1"})
    body = body_of(path)
    other = b"".join(encrypt_content([content], keys[1].public_encryption, info_of_body(body)))
    rewritten(path, lambda members: members.update({ENCRYPTED: other}))
    with pytest.raises(EntryError, match=says):
        unpacked(path, keys, tmp_path / "out")


def test_an_entry_for_another_organiser_is_refused(seal, keys, tmp_path) -> None:
    path, other = seal(FILES), key_pair("organiser", tmp_path / "other")[0]
    with pytest.raises(EntryError, match="another organiser"):
        unpacked(path, (keys[0], other), tmp_path / "out")


def with_document(content: bytes) -> Callable[[dict[str, bytes]], None]:
    return lambda members: members.update({DOCUMENT: content})


def replaced(old: bytes, new: bytes) -> Callable[[dict[str, bytes]], None]:
    return lambda members: members.update({DOCUMENT: members[DOCUMENT].replace(old, new)})


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (replaced(b"North", b"South"), "altered after it was signed"),
        (replaced(b"Stories", b"Captions"), "altered after it was signed"),
        (replaced(b"run.txt", b"ran.txt"), "altered after it was signed"),
        (with_document(b"{}"), "another kind"),
        (with_document(b"\xff"), "damaged"),
        (lambda members: members.pop(DOCUMENT), "is not an entry"),
        (lambda members: members.pop(ENCRYPTED), "lacks a file"),
        (lambda members: members.update({"files/x": b""}), "lacks a file"),
        (lambda members: members.update({"../x": b""}), "lacks a file"),
    ],
)
def test_an_altered_entry_is_refused_with_its_reason(seal, change, says) -> None:
    with pytest.raises(EntryError, match=says):
        read_entry(rewritten(seal(FILES), change))


@pytest.mark.parametrize("content", [b"", b"no zip", b"PK\x03\x04" + bytes(100)])
def test_other_files_are_no_entries(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "x.juryentry"
    path.write_bytes(content)
    with pytest.raises(EntryError, match="not an entry"):
        read_entry(path)
    with pytest.raises(EntryError, match="no such file"):
        read_entry(tmp_path / "missing.juryentry")


@pytest.mark.parametrize("plain", [False, True])
def test_an_entry_with_bytes_of_no_member_is_refused(seal, plain) -> None:
    path = seal(FILES, plain=plain)
    odd = [*with_other_bytes(path.read_bytes())]
    assert len(odd) == ODD_ZIPS
    for content in odd:
        path.write_bytes(content)
        with pytest.raises(EntryError, match="damaged"):
            read_entry(path)


def test_a_list_of_members_that_no_entry_has_is_not_read(tmp_path: Path) -> None:
    """A list of a gigabyte would take several gigabytes of memory before its end is known."""
    path, size = tmp_path / "x.juryentry", MAX_DIRECTORY_BYTES + 1
    with path.open("wb") as file:
        file.truncate(size)
        file.seek(size)
        file.write(struct.pack("<IHHHHIIH", 0x06054B50, 0, 0, 1, 1, size, 0, 0))
    tracemalloc.start()
    with pytest.raises(EntryError, match="not an entry"):
        read_entry(path)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < MAX_DIRECTORY_BYTES


@pytest.mark.parametrize("recipient", [bytes(32), (1).to_bytes(32, "little")])
def test_nothing_is_encrypted_for_a_key_with_which_everybody_shares_the_secret(
    recipient: bytes,
) -> None:
    with pytest.raises(PublicKeyError, match="anyone could read"):
        b"".join(encrypt_content([b"1"], recipient, INFO))


def body_of(path: Path) -> dict[str, object]:
    with zipfile.ZipFile(path) as archive:
        return dict(json.loads(archive.read(DOCUMENT))["body"])


HOSTILE = [
    ({"files": [{"name": "../x", "size": 1, "sha256": "0" * 64}]}, "out of the archive"),
    ({"files": [{"name": "/x", "size": 1, "sha256": "0" * 64}]}, "absolute"),
    ({"files": [{"name": n, "size": 1, "sha256": "0" * 64} for n in ("a", "A")]}, "same name"),
    (
        {"files": [{"name": n, "size": 1, "sha256": "0" * 64} for n in ("é", "e\u0301")]},
        "same name",
    ),
    ({"files": [{"name": "x", "size": -1, "sha256": "0" * 64}]}, "list of files"),
    ({"files": [{"name": "x", "size": 1 << 50, "sha256": "0" * 64}]}, "list of files"),
    ({"files": [{"name": "x", "size": True, "sha256": "0" * 64}]}, "list of files"),
    ({"files": [{"name": "x", "size": 1, "sha256": "0" * 8}]}, "list of files"),
    ({"files": []}, "list of files"),
    ({"files": {"name": "x"}}, "list of files"),
    ({"files": [{"name": "x", "size": 1, "sha256": "0" * 64}] * 10_001}, "list of files"),
    ({"team": "North\u202e"}, "needs a name"),
    ({"team": ""}, "needs a name"),
    ({"team": 5}, "list of files"),
    ({"nonce": "0"}, "hash or the time"),
    ({"reference": "0"}, "hash or the time"),
    ({"made": "yesterday"}, "hash or the time"),
    ({"made": "2027-01-09T10:00:00Z\n"}, "hash or the time"),
    ({"statement": "x" * 5000}, "4,000"),
    ({"more": "x"}, "list of files"),
]


@pytest.mark.parametrize(("change", "says"), HOSTILE)
def test_a_signed_entry_with_hostile_values_is_refused(seal, keys, change, says) -> None:
    path = seal({"x": b"1"})
    document = sign_document("entry", {**body_of(path), **change}, keys[0].signing)
    with pytest.raises(EntryError, match=says):
        read_entry(rewritten(path, with_document(json.dumps(document).encode())))


def test_a_file_larger_than_signed_is_not_unpacked_whole(seal, keys, tmp_path) -> None:
    path = seal({"x": b"1"}, plain=True)
    rewritten(path, lambda members: members.update({f"{PLAIN}x": b"1" * 5_000_000}))
    with pytest.raises(EntryError, match="not the one"):
        unpacked(path, keys, tmp_path / "out")
    assert (tmp_path / "out" / "x").stat().st_size < 10


@pytest.mark.parametrize("size", [0, 1, CHUNK_BYTES - 1, CHUNK_BYTES, CHUNK_BYTES + 1])
def test_content_of_every_size_is_encrypted_and_decrypted(keys, size) -> None:
    content = os.urandom(size)
    sealed = b"".join(encrypt_content([content], keys[1].public_encryption, INFO))
    secret = keys[1].encryption
    assert b"".join(decrypt_content(io.BytesIO(sealed), secret, INFO)) == content
    with pytest.raises(DecryptionError):
        b"".join(decrypt_content(io.BytesIO(sealed), secret, b"another purpose"))


def test_keys_are_made_once_and_only_the_user_can_read_them(tmp_path: Path) -> None:
    made, is_new = key_pair("team", tmp_path)
    again, is_new_again = key_pair("team", tmp_path)
    assert (made, is_new, is_new_again) == (again, True, False)
    assert stat.S_IMODE(made.path.stat().st_mode) == 0o600
    assert [one.name for one in made.path.parent.iterdir()] == ["team.json"]
    assert str(made.signing) not in repr(made)
    made.path.chmod(0o644)
    with pytest.raises(KeyStoreError, match="read by others"):
        key_pair("team", tmp_path)


@pytest.mark.parametrize("content", ["", "{}", '{"format": "jurydesk private key", "role": 1}'])
def test_a_damaged_key_is_named_and_never_replaced(tmp_path: Path, content: str) -> None:
    path = key_pair("team", tmp_path)[0].path
    path.write_text(content)
    with pytest.raises(KeyStoreError, match="damaged"):
        key_pair("team", tmp_path)
    assert path.read_text() == content


def test_a_key_is_not_put_where_it_would_be_lost(monkeypatch, tmp_path) -> None:
    monkeypatch.setattr("jurydesk.core.sealed.key_store.is_temporary_folder", lambda folder: True)
    with pytest.raises(KeyStoreError, match="would be lost"):
        key_pair("team", tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_a_statement_that_is_no_text_and_a_full_disk_are_told(seal, keys, tmp_path, monkeypatch):
    with pytest.raises(EntryError, match="not valid Unicode"):
        seal({"x": b"1"}, statement="\ud800")
    path = seal({"x": b"1"})
    usage = type("Usage", (), {"free": 0})
    monkeypatch.setattr("shutil.disk_usage", lambda folder: usage)
    with pytest.raises(EntryError, match="no room"):
        unpacked(path, keys, tmp_path / "out")


def test_the_same_file_under_another_name_has_the_same_contents(seal) -> None:
    def contents(files: dict[str, bytes]) -> str:
        found: Entry = read_entry(seal(files))
        return found.contents

    assert contents({"a": b"1"}) == contents({"b": b"1"}) != contents({"a": b"2"})
    assert contents({"a": b"1", "b": b"2"}) != contents({"a": b"2", "b": b"1"})
