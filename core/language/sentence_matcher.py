"""Translation of a finished English sentence, recognized by its template in the catalogue.

`resources/web/language/language.js` does the same in pages.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from jurydesk.core.language.catalogue import PLACE, Catalogue, numeric
from jurydesk.core.language.message import translatable

LEAST_LETTERS, LEAST_OF_SENTENCES = 4, 2
"""Phrases, and sentences with a full stop, of fewer letters would match anything."""
NOUN_PLACES = frozenset(
    (
        *("entry", "entries", "item", "items", "picture", "pictures", "singular", "plural", "noun"),
        *("kind", "label", "metric", "numeral", "origin", "other", "state", "title"),
    )
)
"""Places of a competition's nouns and titles, of which one text is translated."""
SENTENCE_PLACES = frozenset(
    ("choice", "error", "expected", "fault", "handed", "problem", "reason", "why")
)
"""Places of sentences of the program, which are translated inside another one."""
COUNTED, LIST, WORD, WORDS = ":counted", ":list", ":word", ":words"
"""Styles of places: a count with its noun, names and the number of others, one word of a file, and
words of the program, which are translated.

A place with any other style holds a number, and a place without one holds a user's text.
"""
_TEXT_STYLES = frozenset(("", COUNTED, LIST, WORD, WORDS))
JSON_WORDS = frozenset(("null", "true", "false"))
"""Words of the program that every language writes so."""
OS_REASONS = (
    translatable("No such file or directory"),
    translatable("Permission denied"),
    translatable("Is a directory"),
    translatable("Not a directory"),
    translatable("File exists"),
    translatable("File name too long"),
    translatable("No space left on device"),
    translatable("Disk quota exceeded"),
    translatable("Read-only file system"),
    translatable("Input/output error"),
    translatable("Too many levels of symbolic links"),
    translatable("Too many open files"),
    translatable("Device or resource busy"),
    translatable("Operation not permitted"),
    translatable("Connection refused"),
    translatable("Exec format error"),
)
"""Reasons of the operating system, whose own texts do not follow the window's language."""
DEEPEST = 3
"""Sentences inside sentences that are translated."""
MOST_SENTENCES = 12
"""Sentences of a text that are translated one by one."""
_NUMBER = re.compile(r"[-+−]?(\d[\d,]*(\.\d+)?(e[-+]\d+)?|nan|inf|[\dA-F]+)")
_ENDS = (".", "?", "!", "…")
"""Ends of sentences; a phrase that ends with a value is none."""
_MORE = re.compile(r"(.*) and ([\d,]+) more", re.DOTALL)
_MORE_ID = translatable("{names} and {more:,} more")
_SENTENCE_END = re.compile(r"(?<=[.?!…]) (?=\S)")


@dataclass(frozen=True, slots=True)
class SentenceTemplate:
    """English sentence split at its named places; `is_plural` wants a number in the first."""

    id: str
    literals: tuple[str, ...]
    names: tuple[str, ...]
    styles: tuple[str, ...]
    is_plural: bool

    def values(self, text: str) -> list[str] | None:
        """Return what a text has in the places; None if it is another sentence."""
        first, *middle, last = self.literals
        end = len(text) - len(last)
        if not text.startswith(first) or not text.endswith(last) or end < len(first):
            return None
        found, at = [], len(first)
        for place, literal in enumerate(middle, start=1):
            there = text.find(literal, at, end)
            if literal == " " and self.styles[place] not in _TEXT_STYLES:
                after = self.literals[place + 1]
                ahead = text.find(after, there + 1, end) if after and place < len(middle) else end
                # A number has no space, but words have.
                there = text.rfind(literal, at, ahead) if ahead > 0 else -1
            elif place == len(middle) and self.styles[-1] and not self.styles[-2]:
                # A user's text before the last value that has a style may contain the same letters.
                there = text.rfind(literal, at, end)
            if there < 0:
                return None
            found.append(text[at:there])
            at = there + len(literal)
        found.append(text[at:end])
        is_phrase = not last and not self.literals[-2].endswith(": ")
        return None if is_phrase and found[-1].endswith(_ENDS) else found

    def is_special(self, other: SentenceTemplate) -> bool:
        """Return whether this template is to be preferred to `other`, which fits as well.

        Every sentence of it is one of `other`, too; or it begins with more letters of its own, or
        with a value that has a style where `other` begins with a user's text.
        """
        is_part, is_whole = self._is_part(other), other._is_part(self)
        if is_part and is_whole:
            return sum(map(bool, self.styles)) >= sum(map(bool, other.styles))
        if is_part or is_whole:
            return is_part
        start, its = self.literals[0], other.literals[0]
        if its and len(start) > len(its) and start.startswith(its):
            return True
        return self._has_start and not other._has_start

    @property
    def _has_start(self) -> bool:
        return len(self.literals[0]) >= LEAST_OF_SENTENCES or bool(self.styles[0])

    @property
    def is_bare(self) -> bool:
        """Whether there are no letters outside the places, which then must all be recognized."""
        return not any(map(str.isalpha, "".join(self.literals)))

    def _is_part(self, other: SentenceTemplate) -> bool:
        return other.values("\0".join(self.literals)) is not None


class SentenceMatcher:
    """Translates English sentences by the templates of a catalogue.

    Counts with nouns, words of the program and sentences inside sentences are translated too; all
    other values, which are names and texts of users, stay as they are. Of several templates the
    special one is taken; a sentence that fits two templates of which neither is more special than
    the other remains English, so that no name can pass for a part of a sentence.
    """

    def __init__(self, catalogue: Catalogue, localize: Callable[[str], str]) -> None:
        self._catalogue = catalogue
        self._localize = localize
        made = [make_template(id, id) for id in catalogue.texts]
        for one, many in catalogue.plurals.items():
            made += [make_template(one, one, True), make_template(one, many, True)]
        self._by_start: dict[str, list[SentenceTemplate]] = {}
        self._by_end: dict[str, list[SentenceTemplate]] = {}
        for template in filter(None, made):
            start, end = template.literals[0], template.literals[-1]
            index, key = (self._by_start, start) if start else (self._by_end, end)
            index.setdefault(key, []).append(template)
        self._starts = sorted({len(start) for start in self._by_start})
        self._ends = sorted({len(end) for end in self._by_end})

    def translate(self, text: str, depth: int = 0) -> str | None:
        """Return the translation of a text; None if the catalogue does not have it."""
        known = self._catalogue.texts.get(text)
        if known is not None:
            return known
        parts = _SENTENCE_END.split(text, MOST_SENTENCES)
        several = self._sentences(parts, depth) if len(parts) > 1 else None
        found = self._sentence(text, depth) if several is None else several
        return self._refusal(text) if found is None else found

    def _refusal(self, text: str) -> str | None:
        """Return `PLACE: REASON.` with a translated reason of the operating system."""
        place, _, reason = text.rpartition(": ")
        shown = self._os_reason(reason.removesuffix("."))
        return f"{place}: {shown}." if place and shown and reason.endswith(".") else None

    def _os_reason(self, value: str) -> str | None:
        capital = value[:1].upper() + value[1:]
        shown = self._catalogue.texts.get(capital) if capital in OS_REASONS else None
        return shown if shown is None or value == capital else shown[:1].lower() + shown[1:]

    def _sentences(self, parts: list[str], depth: int) -> str | None:
        """Return the translation of several sentences, of which one may have several parts."""
        done: list[str | None] = [None] * len(parts) + [""]
        for start in reversed(range(len(parts))):
            for end in range(start + 1, len(parts) + (start > 0)):
                rest = done[end]
                if rest is not None:
                    found = self._sentence(" ".join(parts[start:end]), depth)
                    if found is not None:
                        done[start] = f"{found} {rest}".rstrip()
                        break
        return done[0]

    def _sentence(self, text: str, depth: int) -> str | None:
        known = self._catalogue.texts.get(text)
        if known is not None:
            return known
        found: list[tuple[str, SentenceTemplate]] = []
        for template in self._candidates(text):
            values = template.values(text)
            done = None if values is None else self._fill(template, values, depth)
            if done is not None:
                found.append((done, template))
        for done, template in found:
            if all(done == other or template.is_special(one) for other, one in found):
                return done
        return None

    def _candidates(self, text: str) -> Iterable[SentenceTemplate]:
        """Yield the templates with the start of a text, or without a start and with its end."""
        for length in self._starts:
            yield from self._by_start.get(text[:length], ())
        for length in self._ends:
            yield from self._by_end.get(text[len(text) - length :], ())

    def _fill(self, template: SentenceTemplate, values: list[str], depth: int) -> str | None:
        """Return the translation with values in its places; None if a value does not fit."""
        if template.is_plural:
            count = numeric(values[0])
            if count is None:
                return None
            wanted = self._catalogue.forms[template.id][self._catalogue.plural(count)]
        else:
            wanted = self._catalogue.texts[template.id]
        shown: dict[str, str] = {}
        for name, style, value in zip(template.names, template.styles, values, strict=True):
            part = self._value(name, value, style, depth)
            if part is None or (template.is_bare and not style and part == value):
                return None
            shown[name] = part
        return PLACE.sub(lambda match: shown[match[1]], wanted)

    def _value(self, name: str, value: str, style: str, depth: int) -> str | None:
        """Return a value as it is shown; None if it does not have the style of its place."""
        if style == COUNTED:
            return self._phrase(value, depth) if numeric(value.split(" ")[0]) is not None else None
        if style == WORDS:
            return value if value in JSON_WORDS else self._phrase(value, depth)
        if style == LIST:
            return self._list(value)
        if style == WORD:
            return value if value and " " not in value else None
        if style:
            return self._localize(value) if _NUMBER.fullmatch(value) else None
        if numeric(value) is not None:
            return self._localize(value)
        if name.rstrip("0123456789") in NOUN_PLACES:
            return self._catalogue.texts.get(value) or self._phrase(value, depth) or value
        reason = self._os_reason(value)
        if reason is not None:
            return reason
        is_inner = name in SENTENCE_PLACES and " " in value and depth < DEEPEST
        inner = self.translate(value, depth + 1) if is_inner else None
        if inner is None and numeric(value.split(" ")[0]) is not None:
            inner = self._phrase(value, depth)
        return value if inner is None else inner

    def _phrase(self, value: str, depth: int) -> str | None:
        return self._sentence(value, depth + 1) if value and depth < DEEPEST else None

    def _list(self, value: str) -> str:
        match = _MORE.fullmatch(value)
        if match is None or _MORE_ID not in self._catalogue.texts:
            return value
        shown = {"names": match[1], "more": self._localize(match[2])}
        return PLACE.sub(lambda place: shown[place[1]], self._catalogue.texts[_MORE_ID])


def make_template(id: str, sentence: str, is_plural: bool = False) -> SentenceTemplate | None:
    """Return the template of a sentence; None if it cannot be recognized by its letters."""
    found = list(PLACE.finditer(sentence))
    literals = [part for i, part in enumerate(PLACE.split(sentence)) if i % 3 == 0]
    letters = sum(letter.isalpha() for literal in literals for letter in literal)
    if not found or not all(literals[1:-1]):
        return None
    names, styles = zip(*(match.groups() for match in found), strict=True)
    least = LEAST_OF_SENTENCES if literals[-1].endswith(_ENDS) else LEAST_LETTERS
    least = 1 if is_plural else 0 if {COUNTED, WORD, WORDS} & {*styles} else least
    if letters < least or len(set(names)) < len(names):
        return None
    return SentenceTemplate(id, tuple(literals), names, styles, is_plural)
