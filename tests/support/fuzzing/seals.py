"""Hashes and signatures of changed files made again, so that readers look behind them."""

from __future__ import annotations

import hashlib
import hmac
import io
import json
import zipfile
from pathlib import Path
from typing import Any

from jurydesk.core.model.decoding import DAMAGE
from support.fuzzing.structure import packed

RULES = ("task", "program", "options", "facts", "unable")


def sealed_kit(content: bytes) -> bytes:
    """Return a kit with the hash of its rules."""
    try:
        document = json.loads(content)
        rules = {name: document[name] for name in RULES}
    except (ValueError, RecursionError, KeyError, TypeError):
        return content
    text = json.dumps(rules, ensure_ascii=True, sort_keys=True, separators=(",", ":"))
    document["sha256"] = hashlib.sha256(text.encode()).hexdigest()
    return json.dumps(document).encode()


def sealed_packet(content: bytes) -> bytes:
    """Return a packet whose manifest has the hashes of its members."""
    return _sealed_zip(content, "manifest.json", _with_files)


def sealed_parcel(content: bytes) -> bytes:
    """Return a shard or a result whose head has the hashes of its members."""
    return _sealed_zip(content, "head.json", _with_members)


def sealed_answers(content: bytes, key: str) -> bytes:
    """Return answers whose header has the number, the hash and the signature of their lines."""
    head, _, lines = content.partition(b"\n")
    try:
        header = json.loads(head)
        header["events"] = lines.count(b"\n")
        header["sha256"] = hashlib.sha256(lines).hexdigest()
        message = f"{header['packet']}\n{header['rater']}\n{header['events']}\n{header['sha256']}"
    except (ValueError, RecursionError, KeyError, TypeError):
        return content
    sealed = hmac.new(key.encode(), message.encode("utf-8", "replace"), hashlib.sha256)
    return json.dumps(header | {"signature": sealed.hexdigest()}).encode() + b"\n" + lines


def seal_job(folder: Path) -> None:
    """Write the hashes of a job's shards into its manifest."""
    path = folder / "manifest.json"
    try:
        manifest = json.loads(path.read_bytes())
        for shard in manifest["shards"]:
            made = (folder / "shards" / f"{shard['name']}.shard").read_bytes()
            shard["sha256"] = hashlib.sha256(made).hexdigest()
    except (ValueError, RecursionError, KeyError, TypeError, OSError):
        return
    path.write_text(json.dumps(manifest))


def _sealed_zip(content: bytes, name: str, seal: Any) -> bytes:
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            members = [
                (one.filename, archive.read(one), one.compress_type) for one in archive.infolist()
            ]
        contents = {member: data for member, data, _ in members}
        head = seal(json.loads(contents[name]), contents)
    except (OSError, *DAMAGE):
        return content
    data = json.dumps(head, ensure_ascii=False, separators=(",", ":"), sort_keys=True)
    encoded = data.encode("utf-8", "replace")
    return packed([(one, encoded if one == name else had, kind) for one, had, kind in members])


def _with_files(manifest: Any, contents: dict[str, bytes]) -> Any:
    files = {
        name: hashlib.sha256(data).hexdigest()
        for name, data in contents.items()
        if name != "manifest.json"
    }
    return manifest | {"files": files}


def _with_members(head: Any, contents: dict[str, bytes]) -> Any:
    for number, member in enumerate(head["members"]):
        member["sha256"] = hashlib.sha256(contents[f"{number}.npz"]).hexdigest()
    return head
