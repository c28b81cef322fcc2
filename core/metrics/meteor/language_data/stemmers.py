"""Stemmers of the METEOR jar: Snowball's of 2010, and a table for Arabic.

snowballstemmer 2.2 computes the jar's stems of most languages. Where Snowball has changed since,
the later rule is switched off here; each difference was found by comparing stems with the jar's.
"""

from __future__ import annotations

import importlib
import zlib
from collections.abc import Callable, Mapping, Sequence
from typing import Any, cast

from jurydesk.core.metrics.meteor.java_semantics import string_hash
from jurydesk.core.metrics.meteor.language_data import source_files
from jurydesk.core.metrics.meteor.languages import Language

GZIP = 31
"""Window bits of zlib for gzip."""
TABLE_BYTES = 1 << 26
"""Limit of an unpacked table; the jar's has 18 MB."""

Stem = Callable[[str], str]
"""Function of a word; it serves one thread at a time."""


def stemmer_of(language: Language) -> Stem:
    """Return a new stemmer of a language; the words themselves where the jar has none."""
    if language.stemming == "none":
        return str
    if language.stemming == "snowball":
        return snowball_stemmer(language.name)
    packed = source_files.installed_language_data().read(source_files.STEMS)
    return table_stemmer(zlib.decompressobj(wbits=GZIP).decompress(packed, TABLE_BYTES))


def snowball_stemmer(language: str) -> Stem:
    """Return the jar's stemmer of a language, named in English."""
    # `snowballstemmer.stemmer` would use PyStemmer, whose version may be another, if installed.
    module = importlib.import_module(f"snowballstemmer.{language}_stemmer")
    latest = getattr(module, f"{language.title()}Stemmer")
    adapt = EARLIER.get(language)
    return cast("Stem", (latest if adapt is None else adapt(latest))().stemWord)


def table_stemmer(content: bytes) -> Stem:
    """Return a stemmer by a table: lines of a word, and counts each followed by a stem.

    Like the jar, it takes the first stem and finds words by their Java key; a word that is not
    listed is its own stem.
    """
    lines = (line.split(" ") for line in content.decode("utf-8").split("\n") if line)
    stems = {string_hash(fields[0]): fields[2] for fields in lines}
    return lambda word: stems.get(string_hash(word), word)


# ---- Later rules switched off --------------------------------------------------------------------


def _earlier_danish(latest: Any) -> Any:
    return _with_all_consonants(latest, latest.g_c, latest.g_v, 248)


def _earlier_finnish(latest: Any) -> Any:
    """Return the stemmer without -den, -seen, -siin and -tten: the jar never finds them to apply.

    In Snowball they are the case endings with a condition of their own.
    """
    endings = [_impossible(one) if one.method else one for one in latest.a_6]

    class Earlier(_with_all_consonants(latest, latest.g_C, latest.g_V1, 246)):  # type: ignore[misc]
        def find_among_b(self, words: Any) -> int:
            return int(super().find_among_b(endings if words is latest.a_6 else words))

        def is_possible(self) -> bool:
            return False

    return Earlier


def _impossible(ending: Any) -> Any:
    return type(ending)(ending.s, ending.substring_i, ending.result, "is_possible")


def _with_all_consonants(latest: Any, consonants: Any, vowels: Any, last: int) -> Any:
    """Return the stemmer to which every character but a vowel is a consonant."""

    class Earlier(latest):  # type: ignore[misc]
        def in_grouping_b(self, group: Any, low: int, high: int) -> bool:
            if group is consonants:
                return bool(self.out_grouping_b(vowels, ord("a"), last))
            return bool(super().in_grouping_b(group, low, high))

    return Earlier


def _earlier_german(latest: Any) -> Any:
    """Return the stemmer that keeps the last s of -niss."""

    class Earlier(latest):  # type: ignore[misc]
        def eq_s_b(self, text: str) -> bool:
            return text != "nis" and bool(super().eq_s_b(text))

    return Earlier


def _earlier_french(latest: Any) -> Any:
    """Return the stemmer to which ë and ï are letters like others, but for -guë."""
    without_h = [one for one in latest.a_1 if not one.s.startswith("H")]

    class Earlier(latest):  # type: ignore[misc]
        def eq_s(self, text: str) -> bool:
            return text not in ("ë", "ï") and bool(super().eq_s(text))

        def eq_s_b(self, text: str) -> bool:
            return text not in ("H", "Hi") and bool(super().eq_s_b(text))

        def find_among(self, words: Any) -> int:
            return int(super().find_among(without_h if words is latest.a_1 else words))

        def find_among_b(self, words: Any) -> int:
            if words is latest.a_7 and super().eq_s_b("ë"):
                place = self.cursor
                follows_gu = super().eq_s_b("gu")
                self.cursor: int = place
                return DELETED if follows_gu else 0
            return int(super().find_among_b(words))

    return Earlier


DELETED = 3
"""Result of a French last suffix that is removed."""

PORTUGUESE = {
    "logia": "logía",
    "logias": "logías",
    "uça~o": "ución",
    "uço~es": "uciones",
}
"""Suffixes, which the jar has in their Spanish spelling."""


def _earlier_portuguese(latest: Any) -> Any:
    suffixes = _sorted_suffixes(latest.a_5, PORTUGUESE)

    class Earlier(latest):  # type: ignore[misc]
        def find_among_b(self, words: Any) -> int:
            return int(super().find_among_b(suffixes if words is latest.a_5 else words))

    return Earlier


def _sorted_suffixes(suffixes: Sequence[Any], other: Mapping[str, str]) -> list[Any]:
    """Return suffixes of which some have another spelling, in the order of a search from behind."""
    kind = type(suffixes[0])
    respelled = [(other.get(one.s, one.s), one.result) for one in suffixes]
    respelled.sort(key=lambda one: one[0][::-1])
    texts = [text for text, _ in respelled]
    return [
        kind(
            text,
            max((n for n, one in enumerate(texts[:place]) if text.endswith(one)), default=-1),
            result,
        )
        for place, (text, result) in enumerate(respelled)
    ]


def _earlier_hungarian(latest: Any) -> Any:
    """Return the stemmer whose suffixes have õ and û for ő and ű."""
    return _respelled(latest, str.maketrans("õûőű", "őű\ue000\ue001"))


def _earlier_russian(latest: Any) -> Any:
    """Return the stemmer to which ё is no vowel."""
    return _respelled(latest, str.maketrans("ё", "\ue000"))


def _respelled(latest: Any, spelling: Mapping[int, int]) -> Any:
    """Return the stemmer of words in another spelling; private characters are in no rule."""
    back = {other: own for own, other in spelling.items()}

    class Earlier(latest):  # type: ignore[misc]
        def stemWord(self, word: str) -> str:  # noqa: N802 - the name in snowballstemmer
            return str(super().stemWord(word.translate(spelling))).translate(back)

    return Earlier


EARLIER: Mapping[str, Callable[[Any], Any]] = {
    "danish": _earlier_danish,
    "finnish": _earlier_finnish,
    "french": _earlier_french,
    "german": _earlier_german,
    "hungarian": _earlier_hungarian,
    "portuguese": _earlier_portuguese,
    "russian": _earlier_russian,
}
