"""Read-only access to RuWordNet's SQLite file, for METEOR.

The tables `sense`, `synset`, `hypernym_relation` and `derivation_relation` are used.
"""

from __future__ import annotations

import sqlite3
import weakref
from functools import lru_cache
from pathlib import Path

from jurydesk.core.language import Message, fill
from jurydesk.core.model.evaluation import ResourceMissing

TABLES = ("sense", "synset", "hypernym_relation", "derivation_relation")
KEPT_WORDS = 1 << 17

_HAS_SENSE = "SELECT 1 FROM sense WHERE lemma = ? LIMIT 1"
_RELATED = """
SELECT synset.title FROM sense
  JOIN hypernym_relation ON hypernym_relation.hyponym_id = sense.synset_id
  JOIN synset ON synset.id = hypernym_relation.hypernym_id
  WHERE sense.lemma = :lemma
UNION
SELECT other.name FROM sense
  JOIN derivation_relation ON derivation_relation.source_id = sense.id
  JOIN sense AS other ON other.id = derivation_relation.derivative_id
  WHERE sense.lemma = :lemma
"""
_SYNSETS = "SELECT DISTINCT synset_id FROM sense WHERE lemma = ?"


class RuWordNet:
    """RuWordNet file with cached queries; ResourceMissing if it is missing or not RuWordNet."""

    def __init__(self, path: Path) -> None:
        self.path = path
        if not path.is_file():
            raise ResourceMissing(
                fill(
                    "RuWordNet: there is no file {path}. The database ruwordnet-2021.db is "
                    "expected.",
                    path,
                )
            )
        where = f"{path.absolute().as_uri()}?mode=ro&immutable=1"
        try:
            self._database = sqlite3.connect(where, uri=True, check_same_thread=False)
            # Scorers hold this object for their lifetime; Python 3.13 warns of unclosed databases.
            self._close = weakref.finalize(self, self._database.close)
            known = {
                name
                for (name,) in self._database.execute(
                    "SELECT name FROM sqlite_master WHERE type = 'table'"
                )
            }
        except sqlite3.Error as fault:
            raise ResourceMissing(
                fill(
                    "RuWordNet: {path} is no SQLite database ({fault}).", path, Message(str(fault))
                )
            ) from fault
        missing = [name for name in TABLES if name not in known]
        if missing:
            self.close()
            raise ResourceMissing(
                fill(
                    "RuWordNet: {path} has no table {join}. The database ruwordnet-2021.db "
                    "is expected.",
                    path,
                    ", ".join(missing),
                )
            )
        self.related = lru_cache(maxsize=KEPT_WORDS)(self._related_words)
        self.synsets = lru_cache(maxsize=KEPT_WORDS)(self._synsets)

    def close(self) -> None:
        """Close the file."""
        self._close()

    def _related_words(self, word: str) -> frozenset[str]:
        """Return the published program's "synonyms" of a word, in lower case.

        These are the titles of the hypernyms and the names of the derivations of all its senses,
        and the word itself, but no real synonyms. A word without senses has none.
        """
        lemma = word.upper().strip()
        if not self._rows(_HAS_SENSE, (lemma,)):
            return frozenset()
        titles = self._rows(_RELATED, {"lemma": lemma})
        return frozenset((word, *(title.lower() for title in titles if isinstance(title, str))))

    def _synsets(self, lemma: str) -> frozenset[str]:
        """Return the ids of a lemma's synsets; the file spells Ё as Е in lemmas."""
        upper = lemma.upper()
        spellings = dict.fromkeys((upper, upper.replace("Ё", "Е")))
        return frozenset(one for way in spellings for one in self._rows(_SYNSETS, (way,)))

    def _rows(self, query: str, values: tuple[str, ...] | dict[str, str]) -> list[str]:
        try:
            return [row[0] for row in self._database.execute(query, values)]
        except sqlite3.Error as fault:
            raise ResourceMissing(
                fill("RuWordNet: {path} cannot be read ({fault}).", self.path, Message(str(fault)))
            ) from fault
