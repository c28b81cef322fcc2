"""Plausibility checks of submissions: copied references, constant answers, unusual lengths.

Findings are warnings for the organiser, never errors.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

from jurydesk.core.execution.unmeant_texts import unmeant_text_defects
from jurydesk.core.language import Message, counted, fill, name_list
from jurydesk.core.model.defects import Defect, Place, warning
from jurydesk.core.model.evaluation import SubmissionText

FEWEST = 10
"""Minimum number of items for a check."""
LONG = 8
"""Number of words from which equal texts are unlikely to be a coincidence."""
COPIED_SHARE = 0.02
CONSTANT_SHARE = 0.5
LENGTH_RATIO = 2.5
"""Ratio of median lengths, of texts to references or the reverse, that is unusual."""
SHOWN_LETTERS = 60

_WORDS = re.compile(r"\w+")
_ASCII_LETTERS = "".join(letter if _WORDS.match(letter) else " " for letter in map(chr, range(128)))


class Words(NamedTuple):
    """Text as words in lower case with blanks between them, and their number."""

    text: str
    length: int

    @classmethod
    def of(cls, text: str) -> Words:
        """Return the words of a text."""
        folded = text.casefold()
        # The same words, found faster.
        words = (
            folded.translate(_ASCII_LETTERS).split() if folded.isascii() else _WORDS.findall(folded)
        )
        return cls(" ".join(words), len(words))


class NormalizedTexts(dict[str, Words]):
    """Words of texts by their original; each text is normalized once.

    The systems of a competition share their references.
    """

    def __missing__(self, text: str) -> Words:
        words = self[text] = Words.of(text)
        return words


@dataclass(frozen=True, slots=True, eq=False)
class _Item:
    """Words of a text and of its references."""

    id: str
    words: Words
    references: tuple[Words, ...]


def plausibility_defects(
    path: Path, texts: Iterable[SubmissionText], references: NormalizedTexts
) -> tuple[Defect, ...]:
    """Return warnings on the texts of one submission, for each part (sub-task) separately.

    `references` are those of earlier submissions, and grow by those of this one.
    """
    parts: dict[str, list[_Item]] = defaultdict(list)
    originals: dict[str, list[SubmissionText]] = defaultdict(list)
    normalize = references.__getitem__
    for one in texts:
        known = tuple(map(normalize, one.references))
        parts[one.part].append(_Item(one.item, Words.of(one.text), known))
        originals[one.part].append(one)
    place = Place(str(path))
    found = (
        (part, defect)
        for part, items in parts.items()
        if len(items) >= FEWEST
        for check in (_copied_text_defects, _quotation_defects, _constant, _lengths)
        for defect in check(place, items)
    )
    unmeant = (
        (part, defect)
        for part, given in originals.items()
        for defect in unmeant_text_defects(place, given)
    )
    return tuple(_name_part(part, defect) for part, defect in (*found, *unmeant))


def _name_part(attribute: str, defect: Defect) -> Defect:
    """Return the defect with the word for the part, if there is one, before its sentence."""
    if not attribute:
        return defect
    problem = defect.found
    return replace(defect, found=fill("{attribute}: {problem}", attribute, Message(problem)))


def _copied_text_defects(place: Place, items: Sequence[_Item]) -> Iterator[Defect]:
    same = [
        item.id for item in items if item.words.length >= LONG and item.words in item.references
    ]
    if len(same) > COPIED_SHARE * len(items):
        yield warning(
            place,
            _copied_sentence(len(same), items, same),
            fill("Texts of {long} words or more are unlikely to agree by chance.", LONG),
            "Ask whether the team knew the reference data.",
            count=len(same),
        )


def _quotation_defects(place: Place, items: Sequence[_Item]) -> Iterator[Defect]:
    holding = [
        item.id
        for item in items
        if any(
            one.length >= LONG and one.text in item.words.text and one != item.words
            for one in item.references
        )
    ]
    if len(holding) > COPIED_SHARE * len(items):
        yield warning(
            place,
            _quoting_sentence(len(holding), items, holding),
            "",
            "Ask whether the team knew the reference data.",
            count=len(holding),
        )


def _constant(place: Place, items: Sequence[_Item]) -> Iterator[Defect]:
    ((words, count),) = Counter(item.words for item in items).most_common(1)
    most = CONSTANT_SHARE * len(items)
    if count <= most or sum(words in item.references for item in items) > most:
        return
    text = words.text
    shown = text if len(text) <= SHOWN_LETTERS else f"{text[:SHOWN_LETTERS]}…"
    texts = counted(len(items), "text")
    same = fill('{count:,} of {texts} are the same text, "{shown}".', count, texts, shown)
    empty = fill("{count:,} of {texts} are empty.", count, texts)
    yield warning(
        place,
        same if text else empty,
        "",
        "Check whether the system produces real answers.",
        count=count,
    )


def _lengths(place: Place, items: Sequence[_Item]) -> Iterator[Defect]:
    with_references = [item for item in items if item.references]
    if len(with_references) < FEWEST:
        return
    from statistics import median  # takes longer to import than to compute

    texts = median(item.words.length for item in with_references)
    references = median(one.length for item in with_references for one in item.references)
    if references * LENGTH_RATIO < texts or (texts and texts * LENGTH_RATIO < references):
        yield warning(
            place,
            _length_sentence(texts, references),
            "Some metrics favour longer or shorter texts.",
            "Compare a metric that does not favour a length, or inspect the items.",
        )


def _copied_sentence(count: int, items: Sequence[_Item], ids: Sequence[str]) -> str:
    texts = counted(len(items), "text")
    if count == 1:
        return fill(
            "{count:,} of {texts} is word for word a reference: {name_list}.",
            count,
            texts,
            name_list(ids),
        )
    return fill(
        "{count:,} of {texts} are word for word a reference: {name_list}.",
        count,
        texts,
        name_list(ids),
    )


def _quoting_sentence(count: int, items: Sequence[_Item], ids: Sequence[str]) -> str:
    texts = counted(len(items), "text")
    if count == 1:
        return fill(
            "{count:,} of {texts} contains a whole reference and more: {name_list}.",
            count,
            texts,
            name_list(ids),
        )
    return fill(
        "{count:,} of {texts} contain a whole reference and more: {name_list}.",
        count,
        texts,
        name_list(ids),
    )


def _length_sentence(texts: float, references: float) -> str:
    return fill(
        "Half of the texts have {texts:g} words or more, half of the references "
        "{references:g} or more.",
        texts,
        references,
    )
