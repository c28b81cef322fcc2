"""Translation of a finished English sentence, recognized by its template in the catalogue.

`resources/web/language/language.js` does the same in pages.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from jurydesk.core.language.catalogue import PLACE, Catalogue, numeric

LEAST_LETTERS = 4
"""Templates with fewer letters outside their places would match anything."""
NOUN_PLACES = frozenset(
    ("entry", "entries", "item", "items", "picture", "pictures", "singular", "plural", "noun")
)
"""Places of a competition's nouns, of which one word is translated."""
DEEPEST = 3
"""Sentences inside sentences that are translated."""


@dataclass(frozen=True, slots=True)
class SentenceTemplate:
    """English sentence split at its named places; `is_plural` wants a number in the first."""

    id: str
    literals: tuple[str, ...]
    names: tuple[str, ...]
    formats: tuple[str, ...]
    is_plural: bool

    def values(self, text: str) -> list[str] | None:
        """Return what a text has in the places; None if it is another sentence."""
        first, *middle, last = self.literals
        end = len(text) - len(last)
        if not text.startswith(first) or not text.endswith(last) or end < len(first):
            return None
        found, at = [], len(first)
        for literal in middle:
            there = text.find(literal, at, end)
            if there < 0:
                return None
            found.append(text[at:there])
            at = there + len(literal)
        return [*found, text[at:end]]


class SentenceMatcher:
    """Translates English sentences by the templates of a catalogue.

    A value that is itself such a sentence or phrase of several words is translated too; all other
    values, which are names and texts of users, stay as they are.
    """

    def __init__(self, catalogue: Catalogue, localize: Callable[[str], str]) -> None:
        self._catalogue = catalogue
        self._localize = localize
        made = [make_template(id, id) for id in catalogue.texts]
        for one, many in catalogue.plurals.items():
            made += [make_template(one, one, True), make_template(one, many, True)]
        kept = [template for template in made if template is not None]
        # The template with the most letters of its own is the most specific one.
        self._templates = sorted(kept, key=lambda one: -sum(map(len, one.literals)))

    def translate(self, text: str, depth: int = 0) -> str | None:
        """Return the translation of a text; None if the catalogue does not have it."""
        known = self._catalogue.texts.get(text)
        if known is not None:
            return known
        for template in self._templates:
            values = template.values(text)
            if values is not None:
                done = self._fill(template, values, depth)
                if done is not None:
                    return done
        parts = text.split(". ")
        if len(parts) < 2 or depth:
            return None
        ended = [*(f"{part}." for part in parts[:-1]), parts[-1]]
        whole = [self.translate(part, 1) for part in ended]
        return None if None in whole else " ".join(filter(None, whole))

    def _fill(self, template: SentenceTemplate, values: list[str], depth: int) -> str | None:
        if template.is_plural:
            count = numeric(values[0])
            if count is None:
                return None
            wanted = self._catalogue.forms[template.id][self._catalogue.plural(count)]
        else:
            wanted = self._catalogue.texts[template.id]
        shown = {
            name: self._value(name, value, style, depth)
            for name, style, value in zip(template.names, template.formats, values, strict=True)
        }
        return PLACE.sub(lambda match: shown[match[1]], wanted)

    def _value(self, name: str, value: str, style: str, depth: int) -> str:
        if style or numeric(value) is not None:
            return self._localize(value)
        if name in NOUN_PLACES:
            return self._catalogue.texts.get(value, value)
        inner = self.translate(value, depth + 1) if " " in value and depth < DEEPEST else None
        return value if inner is None else inner


def make_template(id: str, sentence: str, is_plural: bool = False) -> SentenceTemplate | None:
    """Return the template of a sentence; None if it cannot be recognized by its letters."""
    found = list(PLACE.finditer(sentence))
    literals = [part for i, part in enumerate(PLACE.split(sentence)) if i % 3 == 0]
    letters = sum(letter.isalpha() for literal in literals for letter in literal)
    least = 1 if is_plural else LEAST_LETTERS
    if not found or letters < least or not all(literals[1:-1]):
        return None
    names, formats = zip(*(match.groups() for match in found), strict=True)
    if len(set(names)) < len(names):
        return None
    return SentenceTemplate(id, tuple(literals), names, formats, is_plural)
