"""Order of the keys of a Java `Hashtable`, in which EvalVIST adds its scores.

Floating-point sums depend on their order, so that the last digit of EvalVIST's mean does. Checked
against recorded outputs of the program.
"""

from __future__ import annotations

from collections.abc import Iterable

CAPACITY, LOAD = 11, 0.75
"""Initial number of buckets, and the share of them that fills the table (java.util.Hashtable)."""
INT_BITS, SIGNLESS = 0xFFFFFFFF, 0x7FFFFFFF


def hashtable_order(keys: Iterable[str]) -> list[str]:
    """Return the distinct keys as a `Hashtable` lists them that they are put into in this order.

    A new key goes to the head of its bucket, a full table grows to 2 n + 1 buckets, and keys are
    listed from the last bucket to the first.
    """
    buckets: list[list[str]] = [[] for _ in range(CAPACITY)]
    count, known = 0, set[str]()
    for key in keys:
        if key in known:
            continue
        if count >= int(LOAD * len(buckets)):
            buckets = _grown(buckets)
        _put(buckets, key)
        known.add(key)
        count += 1
    return [key for bucket in reversed(buckets) for key in reversed(bucket)]


def _grown(buckets: list[list[str]]) -> list[list[str]]:
    larger: list[list[str]] = [[] for _ in range(2 * len(buckets) + 1)]
    for bucket in reversed(buckets):
        for key in reversed(bucket):
            _put(larger, key)
    return larger


def _put(buckets: list[list[str]], key: str) -> None:
    """Put a key at the head of its bucket, which is the end of our list."""
    buckets[(java_hash(key) & SIGNLESS) % len(buckets)].append(key)


def java_hash(text: str) -> int:
    """Return `String.hashCode` of a text as an unsigned number, over its UTF-16 units."""
    units = text.encode("utf-16-be", "surrogatepass")
    value = 0
    for high, low in zip(units[::2], units[1::2], strict=True):
        value = (31 * value + (high << 8 | low)) & INT_BITS
    return value
