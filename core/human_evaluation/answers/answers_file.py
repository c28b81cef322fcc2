"""The answers file (`.juryanswers`): a rater's events as JSON lines under a header with hashes."""

from __future__ import annotations

import hashlib
import hmac
import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from jurydesk.core.competition.task import Reading
from jurydesk.core.human_evaluation.answers.rater_state import RatingEvent
from jurydesk.core.model.defects import Defect, Place, error
from jurydesk.core.model.evaluation import Json

SUFFIX = ".juryanswers"
FORMAT, VERSION = "jurydesk answers", 1
LARGEST = 256 << 20
NEW = "Ask the rater to save the answers again."


@dataclass(frozen=True, slots=True)
class AnswersFile:
    """A rater's events in a packet, and the SHA-256 of their lines.

    The `signature` is made with the packet's key; it is empty where the packet has none.
    """

    packet: str
    rater: str
    events: tuple[RatingEvent, ...]
    sha256: str
    signature: str = ""

    def is_signed_with(self, key: str) -> bool:
        """Whether the signature is that of the key."""
        return hmac.compare_digest(sign_answers(self, key).encode(), self.signature.encode())


def make_answers(
    packet: str, rater: str, events: Sequence[RatingEvent], key: str = ""
) -> AnswersFile:
    """The answers to a packet, signed with its key where it has one."""
    sha256 = hashlib.sha256(event_lines(events)).hexdigest()
    made = AnswersFile(packet, rater, tuple(events), sha256)
    return replace(made, signature=sign_answers(made, key)) if key else made


def sign_answers(answers: AnswersFile, key: str) -> str:
    """HMAC-SHA-256 over packet, rater, number and hash of the events, a line each."""
    said = f"{answers.packet}\n{answers.rater}\n{len(answers.events)}\n{answers.sha256}"
    return hmac.new(key.encode(), said.encode("utf-8", "replace"), hashlib.sha256).hexdigest()


def event_lines(events: Sequence[RatingEvent]) -> bytes:
    """The events, one JSON object a line; half a character, which a page may send, stays one."""
    dumps = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode
    text = "".join(f"{dumps(event.to_json())}\n" for event in events)
    return text.encode("utf-8", "surrogatepass")


def answers_bytes(answers: AnswersFile) -> bytes:
    """The answers file."""
    return _first_line(answers) + event_lines(answers.events)


def _first_line(answers: AnswersFile) -> bytes:
    """What the file is, and what its other lines must be."""
    first = {
        "format": FORMAT,
        "version": VERSION,
        "packet": answers.packet,
        "rater": answers.rater,
        "events": len(answers.events),
        "sha256": answers.sha256,
        **({"signature": answers.signature} if answers.signature else {}),
    }
    return json.dumps(first, ensure_ascii=False).encode() + b"\n"


def read_answers(path: Path) -> Reading[AnswersFile]:
    """The answers in a file, or why they are refused; nothing of a damaged file is taken."""
    try:
        with path.open("rb") as file:
            content = file.read(LARGEST + 1)
    except OSError as fault:
        return _refused(path, f"The file cannot be read: {fault.strerror or fault}.", hint="")
    if len(content) > LARGEST:
        return _refused(path, "The file is larger than any answers are.")
    head, _, lines = content.partition(b"\n")
    found = _header(head)
    if isinstance(found, str):
        return _refused(path, found)
    count = lines.count(b"\n")
    if count < found["events"]:
        there = f"it ends after {count:,} of {found['events']:,} events"
        return _refused(path, f"The file was cut off: {there}.")
    if count > found["events"]:
        there = f"{count:,} events in place of {found['events']:,}"
        return _refused(path, f"The file was altered: it holds {there}.")
    if lines and not lines.endswith(b"\n"):
        return _refused(path, "The file was altered: something follows its last event.")
    digest = hashlib.sha256(lines).hexdigest()
    if digest != found["sha256"]:
        return _refused(path, "The file was altered: its lines are not what its header says.")
    return _parsed(path, found, lines, digest)


def _refused(
    path: Path, found: str, hint: str = NEW, line: int | None = None
) -> Reading[AnswersFile]:
    defect: Defect = error(Place(str(path), line=line), found, hint=hint)
    return Reading(None, (defect,))


def _header(head: bytes) -> dict[str, Json] | str:
    """The header, or what is wrong with it."""
    try:
        data = json.loads(head)
    except (ValueError, RecursionError):
        return "This is no answers file."
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        return "This is no answers file."
    if data.get("version") != VERSION:
        return f"The file has version {data.get('version')!r}; this program reads {VERSION}."
    for name, kind in (("packet", str), ("rater", str), ("events", int), ("sha256", str)):
        if not isinstance(data.get(name), kind):
            return f'The file was altered: its header has no sound "{name}".'
    if not isinstance(data.get("signature", ""), str):
        return 'The file was altered: its header has no sound "signature".'
    return data


def _parsed(path: Path, head: dict[str, Json], lines: bytes, digest: str) -> Reading[AnswersFile]:
    events = []
    for number, line in enumerate(lines.split(b"\n")[:-1], 1):
        try:
            event = RatingEvent.from_json(json.loads(line))
        except (ValueError, RecursionError) as fault:
            return _refused(path, f"The line is no event: {fault}.", line=number + 1)
        if event.number != number:
            found = f"Event {event.number} stands in the place of event {number}."
            return _refused(path, found, line=number + 1)
        events.append(event)
    signature = head.get("signature", "")
    return Reading(AnswersFile(head["packet"], head["rater"], tuple(events), digest, signature), ())
