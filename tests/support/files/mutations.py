"""Mutated submissions, made from valid ones by a seed."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Iterator
from typing import Any

VALUES: tuple[Any, ...] = (
    *(None, True, False, 0, -1, 3, 10, 1.5, -0.0, 1e300, 10**30, float("nan"), float("inf")),
    *("", " ", "x", "START", "3", "привет \U0001f600", "\x85", "a\u00adb", "\ufeff", "'", '"'),
    *("<END>", "xSTARTx", "é START", "[CLS]", "long " * 40),
    *([], {}, [1, "a", None], {"a": 1, "b": [2.0]}, [[]], ["a", 'it\'s "b"'], {"type": "text"}),
)
NAMES = ("", "a", "content", "type", "text", "image_id", "round_id", "generations", "albumid")
BYTES = (
    *(b"", b"\xff", b"\xc3", b"\xe2\x82", b"\xed\xa0\x80", b"\xf0\x9f\x98", b"\0", b"\n", b"\t"),
    *(b'"', b"\\", b"{", b"}", b"[", b"]", b",", b":", b"NaN", b"-", b"1e5", b"\\u12", b"\\ud83d"),
    *(b"\xef\xbb\xbf", b"\xff\xfe", b"  ", b"</results>", b"<", b"&", b"0x", b"-Infinity", b"00"),
)
WHOLE = (
    *(b"", b" \n", b"null", b"[]", b"{}", b"7", b'"text"', b"[1, 2", b"\x1f\x8b", b"\x1f\x8bxxxx"),
    *(b"\xef\xbb\xbf{}", b"\xff\xfe{\0}\0", b"[" * 100_000, b"9" * 5000, b"[1,]", b'{"a": 1,}'),
    *(b'{"a": 1, "a": 2}', b"{'a': 1}", b'{"a" 1}', b'["\\x"]', b'["a\nb"]', b"[NaN]", b"[] []"),
    *(b'{"team_name": "n", "output_stories": null}', b'{"output_stories": {}}', b"[tru]", b"-"),
    *(b'["abc', b'["\\u12g4"]', b'["\\ud83d"]', b'["\\ude00 \\ud83d\\ude00"]', b"<a/>", b"1 2 3"),
    *(b'{"a": 1}\n{"a": 2}\n', b'{"a": 1} {"a": 2}', b'{"a": 1}\n[2]', b'{"a": 1}\n{"a" 2}'),
    *(b"a,b\n1,2\n", b'"a";"b"\r\n1;2', b"a\tb", b"a,b\n1", b"a,,b\n1,2,3", b"a,b\r\r\n1,2"),
    *(b'{"a": [1, 2, {"b": Infinity}]}', b'{"results": [1]}', b'{"images": [{}]}', b"{1: 2}"),
)


def other_layouts(content: bytes) -> Iterator[bytes]:
    """Return JSON as JSON Lines, as a member of an object, and by an id of its entries."""
    try:
        value = json.loads(content)
    except (ValueError, RecursionError):
        return
    if not isinstance(value, list) or not value or not isinstance(value[0], dict):
        return
    yield "\n".join(map(json.dumps, value)).encode()
    yield json.dumps({"results": value}).encode()
    key, *others = value[0]
    yield json.dumps({str(one.get(key)): one.get(others[-1]) for one in value}).encode()


def mutated(content: bytes, count: int, seed: int) -> Iterator[bytes]:
    """Return `count` versions of a file with other values in its JSON, or with other bytes."""
    chance = random.Random(seed)
    try:
        value = json.loads(content)
    except (ValueError, RecursionError):
        value = None
    for number in range(count):
        if value is not None and number % 3:
            yield _other_json(value, chance)
        else:
            yield _other_bytes(content, chance)


def _other_json(value: Any, chance: random.Random) -> bytes:
    changed = [copy.deepcopy(value)]
    for _ in range(chance.choice((1, 1, 2, 5))):
        _change(changed, chance)
    ascii_only, indent = chance.random() < 0.5, chance.choice((None, 1))
    return json.dumps(changed[0], ensure_ascii=ascii_only, indent=indent).encode(
        "utf-8", "surrogatepass"
    )


def _change(root: list[Any], chance: random.Random) -> None:
    """Change one randomly chosen place."""
    holder: Any = root
    key: Any = 0
    while isinstance(holder[key], list | dict) and holder[key] and chance.random() < 0.8:
        holder = holder[key]
        key = chance.choice(list(holder) if isinstance(holder, dict) else range(len(holder)))
    act = chance.randrange(6)
    if act <= 2 or holder is root:
        holder[key] = copy.deepcopy(chance.choice(VALUES))
    elif act == 3:
        del holder[key]
    elif isinstance(holder, list):
        place = chance.randrange(len(holder) + 1)
        holder.insert(place, copy.deepcopy(holder[key]))
    else:
        holder[chance.choice(NAMES)] = holder.pop(key)


def _other_bytes(content: bytes, chance: random.Random) -> bytes:
    place = chance.randrange(len(content) + 1)
    act = chance.randrange(5)
    if act == 0:
        return content[:place]
    if act == 1:
        return content[:place] + content[place + chance.choice((1, 1, 5, 400)) :]
    if act == 2:
        lines = content.split(b"\n")
        lines.insert(chance.randrange(len(lines)), chance.choice(lines))
        return b"\n".join(lines)
    skip = chance.choice((0, 1))
    return content[:place] + chance.choice(BYTES) + content[place + skip :]
