"""Answers file (`.juryanswers`): a rater's events as JSON lines under a header with hashes."""

from __future__ import annotations

import hashlib
import hmac
import json
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from jurydesk.core.competition.task import Reading
from jurydesk.core.human_evaluation.answers.rater_state import RatingEvent
from jurydesk.core.language import Message, failure_reason, fill
from jurydesk.core.model.decoding import DAMAGE
from jurydesk.core.model.defects import Defect, Place, error
from jurydesk.core.model.evaluation import Json
from jurydesk.core.model.json_text import parse_json
from jurydesk.core.readers.json_file import describe_table

SUFFIX = ".juryanswers"
FORMAT, VERSION = "jurydesk answers", 1
MAX_BYTES = 64 << 20
"""Some 600,000 events: more than a rater makes in a month; they are read in about 25 seconds."""
TABLE_BYTES = 1 << 16
"""Bytes at the start of a file that show whether it is a table."""
SAVE_AGAIN = "Ask the rater to save the answers again."


@dataclass(frozen=True, slots=True)
class RaterAnswers:
    """Answers of a rater to a packet: events, with the SHA-256 of their lines.

    The `signature` is made with the packet's key; it is empty in answers of a desk.
    """

    packet: str
    rater: str
    events: tuple[RatingEvent, ...]
    sha256: str
    signature: str = ""

    def is_signed_with(self, key: str) -> bool:
        """Return whether the signature is that of the key."""
        return hmac.compare_digest(sign_answers(self, key).encode(), self.signature.encode())


def make_answers(packet: str, rater: str, events: Sequence[RatingEvent], key: str) -> RaterAnswers:
    """Make the answers to a packet, signed with its key."""
    sha256 = hashlib.sha256(event_lines(events)).hexdigest()
    answers = RaterAnswers(packet, rater, tuple(events), sha256)
    return replace(answers, signature=sign_answers(answers, key))


def sign_answers(answers: RaterAnswers, key: str) -> str:
    """Return the HMAC-SHA-256 of packet, rater, number and hash of the events, one per line."""
    message = f"{answers.packet}\n{answers.rater}\n{len(answers.events)}\n{answers.sha256}"
    return hmac.new(key.encode(), message.encode("utf-8", "replace"), hashlib.sha256).hexdigest()


def event_lines(events: Sequence[RatingEvent]) -> bytes:
    """Return the events as JSON lines; lone surrogates from a page are preserved."""
    encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode

    def dumps(value: Json) -> str:
        is_plain = type(value) is int or (type(value) is float and math.isfinite(value))
        return repr(value) if is_plain else encode(value)  # starts an encoder for each number

    text = "".join(
        f'{{"n":{one.number},"act":{dumps(one.act)},"item":{dumps(one.item)},'
        f'"question":{dumps(one.question)},"value":{dumps(one.value)},'
        f'"seconds":{dumps(one.seconds)},"at":{dumps(one.at)}}}\n'
        for one in events
    )
    return text.encode("utf-8", "surrogatepass")


def answers_bytes(answers: RaterAnswers) -> bytes:
    """Return the content of the answers file."""
    return _first_line(answers) + event_lines(answers.events)


def _first_line(answers: RaterAnswers) -> bytes:
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


def read_answers(path: Path) -> Reading[RaterAnswers]:
    """Read an answers file, or return why it is refused; a damaged file is refused whole."""
    try:
        with path.open("rb") as file:
            content = file.read(MAX_BYTES + 1)
    except OSError as problem:
        reason = failure_reason(problem)
        return _refuse(path, fill("The file cannot be read: {reason}.", reason), hint="")
    if len(content) > MAX_BYTES:
        return _refuse(path, "The file is too large for answers.")
    head, _, lines = content.partition(b"\n")
    found = _header(head)
    if isinstance(found, str):
        table = describe_table(content[:TABLE_BYTES].decode("utf-8-sig", "replace"))
        if table:
            found = fill("The file is {table}. It is another program's.", table)
            return _refuse(path, found, "Only answers that a packet saved are merged.")
        return _refuse(path, found)
    count = lines.count(b"\n")
    if count < found["events"]:
        reason = fill("it ends after {count:,} of {events:,} events", count, found["events"])
        return _refuse(path, fill("The file was cut off: {reason}.", reason))
    if count > found["events"]:
        reason = fill("it has {count:,} events instead of {events:,}", count, found["events"])
        return _refuse(path, fill("The file was altered: {reason}.", reason))
    if lines and not lines.endswith(b"\n"):
        return _refuse(path, "The file was altered: something follows its last event.")
    digest = hashlib.sha256(lines).hexdigest()
    if digest != found["sha256"]:
        return _refuse(path, "The file was altered: its lines do not match its header.")
    return _parse_answers(path, found, lines, digest)


def _refuse(
    path: Path, found: str, hint: str = SAVE_AGAIN, line: int | None = None
) -> Reading[RaterAnswers]:
    defect: Defect = error(Place(str(path), line=line), found, hint=hint)
    return Reading(None, (defect,))


def _header(head: bytes) -> dict[str, Json] | str:
    """Return the header, or its problem as a sentence."""
    try:
        data = parse_json(head, unique=True)
    except ValueError:
        return "This is not an answers file."
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        return "This is not an answers file."
    if data.get("version") != VERSION:
        return fill(
            "The file has version {get}; this program reads {version}.",
            repr(data.get("version")),
            VERSION,
        )
    for name, kind in (("packet", str), ("rater", str), ("events", int), ("sha256", str)):
        if not isinstance(data.get(name), kind):
            return fill('The file was altered: its header has no valid "{name}".', name)
    if not isinstance(data.get("signature", ""), str):
        return 'The file was altered: its header has no valid "signature".'
    return data


def _parse_answers(
    path: Path, head: dict[str, Json], lines: bytes, digest: str
) -> Reading[RaterAnswers]:
    events = []
    for number, line in enumerate(lines.split(b"\n")[:-1], 1):
        try:
            event = RatingEvent.from_json(parse_json(line, unique=True, not_finite=True))
        except DAMAGE as problem:
            return _refuse(
                path,
                fill("The line is not an event: {problem}.", Message(str(problem))),
                line=number + 1,
            )
        if event.number != number:
            found = fill(
                "Event {number} is missing: event {number2} follows.", number, event.number
            )
            return _refuse(path, found, line=number + 1)
        events.append(event)
    signature = head.get("signature", "")
    return Reading(
        RaterAnswers(head["packet"], head["rater"], tuple(events), digest, signature), ()
    )
