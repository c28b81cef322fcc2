"""Builder of the index: lexicon, synonym sets and the trie of paraphrases as arrays.

A single call over a million words would block every other thread, such as the window's, for a tenth
of a second, so the words are processed in pieces.
"""

from __future__ import annotations

import gzip
import zlib
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from jurydesk.core.language import Message, fill
from jurydesk.core.metrics.meteor.java_semantics import string_hash
from jurydesk.core.metrics.meteor.language_data import source_files
from jurydesk.core.metrics.meteor.language_data.index_file import (
    NONE,
    Arrays,
    IndexWordLists,
    write_index,
)
from jurydesk.core.metrics.meteor.language_data.stemmers import stemmer_of
from jurydesk.core.metrics.meteor.language_data.wordnet import base_form
from jurydesk.core.metrics.meteor.languages import ENGLISH, Language

if TYPE_CHECKING:
    from jurydesk.core.execution.run import Run

BLOCK_BYTES = 1 << 17
PIECE = 10_000
"""Words in a piece: a few milliseconds."""
STAGE = "Preparing METEOR's language data"
_TABLE_SHARE = 0.6  # of the time, measured

Ints = npt.NDArray[Any]


class ParaphrasesUnusable(ValueError):  # noqa: N818 - says what is wrong
    """The paraphrase table is not one of METEOR 1.5."""


@dataclass(frozen=True, slots=True, eq=False)
class ParaphraseTable:
    """Paraphrase table: reference phrases with the number of their entries, and the entries."""

    vocabulary: Mapping[bytes, int]
    phrases: Sequence[bytes]
    phrase_entries: Ints
    first: Ints
    second: Ints
    rest: Ints
    rest_lengths: Ints


@dataclass(frozen=True, slots=True, eq=False)
class PhraseTrie:
    """Reference phrases as nodes (see `Arrays`), and the node where each phrase ends."""

    root: Ints
    node_word: Ints
    child_start: Ints
    phrase_node: Ints


def build_index_file(
    language: source_files.LanguageData, path: Path, run: Run | None = None
) -> None:
    """Build the index of the language data and write it to `path` atomically.

    Reports progress to `run` and stops when that is cancelled. Raises OSError,
    zipfile.BadZipFile or zlib.error where the data are damaged, `ParaphrasesUnusable` where the
    table of paraphrases is damaged or not METEOR's.
    """
    if language.paraphrases is None:
        words, phrases = _lexicon(language, {}), NO_PHRASES
    else:
        table = read_paraphrase_table(language.paraphrases, run)
        trie = make_trie(table.phrases, table.vocabulary)
        _report(run, 0.65)
        words = _lexicon(language, table.vocabulary)
        _report(run, 0.85)
        phrases = _paraphrase_arrays(table, trie, language.language)
    _report(run, 0.98)
    lists = IndexWordLists(
        language.language.code,
        source_files.function_words(language.read(source_files.FUNCTION_WORDS)),
        source_files.prefixes(language.read(language.prefixes)) if language.prefixes else {},
        language.sha256(),
    )
    write_index(path, Arrays(**words, **phrases), lists)
    _report(run, 1.0)


def _report(run: Run | None, share: float) -> None:
    if run is not None:
        run.report(round(100 * share), 100, STAGE)


def read_paraphrase_table(path: Path, run: Run | None = None) -> ParaphraseTable:
    """Read the paraphrase table: three lines an entry, words separated by one blank."""
    vocabulary: dict[bytes, int] = defaultdict(count().__next__)
    phrases: dict[bytes, int] = defaultdict(count().__next__)
    parts: list[tuple[Ints, ...]] = []
    last = 0
    for lines, share in _sound_lines(path):
        numbers = _numbers(lines[1::3], phrases)
        if len(numbers) and (numbers[0] < last or (np.diff(numbers) < 0).any()):
            raise ParaphrasesUnusable(
                fill("{path}: the entries of one phrase do not follow each other.", path)
            )
        last = numbers[-1] if len(numbers) else last
        parts.append((numbers, *_entries(lines[2::3], vocabulary)))
        _report(run, share * _TABLE_SHARE)
    if not parts:
        raise ParaphrasesUnusable(fill("{path} has no entries.", path))
    numbers, first, second, rest, lengths = map(np.concatenate, zip(*parts, strict=True))
    for phrase in phrases:
        for word in phrase.split(b" "):
            vocabulary[word]
    if len(vocabulary) > NONE:
        raise ParaphrasesUnusable(fill("{path} has more than {none:,} words.", path, NONE))
    entries = np.bincount(numbers, minlength=len(phrases))
    return ParaphraseTable(vocabulary, list(phrases), entries, first, second, rest, lengths)


def _sound_lines(path: Path) -> Iterator[tuple[list[bytes], float]]:
    """Yield the lines of the table; raise ParaphrasesUnusable where it is damaged."""
    try:
        yield from _entry_lines(path)
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        reason = Message(str(error).rstrip("."))
        raise ParaphrasesUnusable(fill("{path} is damaged: {reason}.", path, reason)) from error


def _entry_lines(path: Path) -> Iterator[tuple[list[bytes], float]]:
    """Yield complete entries, some thousands at a time, with the share of the file read."""
    with source_files.PackedFile(path) as packed:
        pending: list[bytes] = []
        for block in packed.blocks(BLOCK_BYTES):
            pending += block.split(b"\n")[:-1]
            whole = len(pending) // 3 * 3
            yield pending[:whole], packed.position / packed.size
            pending = pending[whole:]
    if pending:
        raise ParaphrasesUnusable(fill("{path} ends within an entry.", path))


def _entries(paraphrases: list[bytes], vocabulary: Mapping[bytes, int]) -> tuple[Ints, ...]:
    """Return first, second and further words of all paraphrases, and the number of the latter."""
    lengths = np.array([paraphrase.count(b" ") + 1 for paraphrase in paraphrases], np.int32)
    words = b" ".join(paraphrases).split(b" ") if paraphrases else []
    numbers = _numbers(words, vocabulary)
    starts = np.cumsum(lengths) - lengths
    second = np.full(len(lengths), NONE, np.int32)
    longer = lengths > 1
    second[longer] = numbers[starts[longer] + 1]
    place = np.arange(len(numbers)) - np.repeat(starts, lengths)
    return (
        numbers[starts].astype(np.uint16),
        second.astype(np.uint16),
        numbers[place > 1].astype(np.uint16),
        np.maximum(lengths - 2, 0),
    )


def _numbers(words: Sequence[bytes], table: Mapping[bytes, int]) -> Ints:
    """Return the number of each word in a table."""
    found = [
        np.fromiter(map(table.__getitem__, words[start : start + PIECE]), np.int32)
        for start in range(0, len(words), PIECE)
    ]
    return np.concatenate(found) if found else np.empty(0, np.int32)


def make_trie(phrases: Sequence[bytes], vocabulary: Mapping[bytes, int]) -> PhraseTrie:
    """Return the trie of the phrases, level by level; nodes of a level ascend by their words."""
    lengths = np.fromiter((phrase.count(b" ") + 1 for phrase in phrases), np.int32)
    matrix = np.zeros((len(phrases), lengths.max()), np.int32)  # word + 1, 0 after the end
    for start in range(0, len(phrases), PIECE):
        piece = slice(start, start + PIECE)
        words = b" ".join(phrases[piece]).split(b" ")
        row = np.repeat(np.arange(len(lengths[piece])), lengths[piece])
        before = np.cumsum(lengths[piece]) - lengths[piece]
        place = np.arange(len(words)) - np.repeat(before, lengths[piece])
        matrix[piece][row, place] = _numbers(words, vocabulary) + 1
    order = np.lexsort(matrix.T[::-1])
    matrix = matrix[order]

    node_words, parents = [], []
    is_new = np.zeros(len(phrases), bool)
    is_new[0] = True
    node = np.full(len(phrases), -1)
    phrase_node = np.empty(len(phrases), np.int32)
    nodes = 0
    for level, column in enumerate(matrix.T):
        is_new[1:] |= column[1:] != column[:-1]
        begins = is_new & (column > 0)
        node_words.append(column[begins] - 1)
        parents.append(node[begins])
        node = np.where(column > 0, nodes + np.cumsum(begins) - 1, -1)
        nodes += int(begins.sum())
        ends = lengths[order] == level + 1
        phrase_node[order[ends]] = node[ends]
    return _link_nodes(node_words, parents, phrase_node, len(vocabulary))


def _link_nodes(
    node_words: list[Ints], parents: list[Ints], phrase_node: Ints, vocabulary_size: int
) -> PhraseTrie:
    node_word = np.concatenate(node_words)
    roots = len(node_words[0])
    children = np.bincount(
        np.concatenate([np.empty(0, np.int64), *parents[1:]]), minlength=len(node_word)
    )
    root = np.full(vocabulary_size, -1, np.int32)
    root[node_word[:roots]] = np.arange(roots)
    child_start = roots + np.concatenate(([0], np.cumsum(children)))
    return PhraseTrie(root, node_word.astype(np.uint16), child_start.astype(np.int32), phrase_node)


def _paraphrase_arrays(
    table: ParaphraseTable, trie: PhraseTrie, language: Language
) -> dict[str, Ints]:
    stops = np.cumsum(table.phrase_entries)
    entry_start = np.zeros(len(trie.node_word), np.int32)
    entry_stop = np.zeros(len(trie.node_word), np.int32)
    entry_start[trie.phrase_node] = stops - table.phrase_entries
    entry_stop[trie.phrase_node] = stops
    return {
        "vocabulary_stem": _stem_keys(table.vocabulary, language),
        "root": trie.root,
        "node_word": trie.node_word,
        "child_start": trie.child_start,
        "entry_start": entry_start,
        "entry_stop": entry_stop,
        "entry_first": table.first,
        "entry_second": table.second,
        "rest": table.rest,
        "rest_start": _starts(table.rest_lengths),
    }


def _starts(lengths: Ints) -> Ints:
    starts = np.zeros(len(lengths) + 1, np.int32)
    np.cumsum(lengths, out=starts[1:])
    return starts


NO_PHRASES: Mapping[str, Ints] = {
    **dict.fromkeys(("root", "entry_start", "entry_stop"), np.zeros(0, np.int32)),
    **dict.fromkeys(("node_word", "entry_first", "entry_second", "rest"), np.zeros(0, np.uint16)),
    "vocabulary_stem": np.zeros(0, np.uint32),
    "child_start": np.zeros(0, np.int32),
    "rest_start": np.zeros(1, np.int32),
}
"""Arrays of an index without paraphrases."""


def _stem_keys(vocabulary: Mapping[bytes, int], language: Language) -> Ints:
    stem = stemmer_of(language)
    return np.fromiter((string_hash(stem(word.decode("utf-8"))) for word in vocabulary), np.uint32)


def _lexicon(
    language: source_files.LanguageData, vocabulary: Mapping[bytes, int]
) -> dict[str, Ints]:
    """Return every known word with its paraphrase number and its synonym sets."""
    is_english = language.language == ENGLISH
    synsets = source_files.synsets(language.read(source_files.SYNSETS)) if is_english else {}
    bases = source_files.exceptions(language.read(source_files.EXCEPTIONS)) if is_english else {}
    paraphrase = {word.decode("utf-8"): number for word, number in vocabulary.items()}
    keys, words = _sort_by_key({*synsets, *bases, *paraphrase})
    dense: dict[int, int] = defaultdict(count().__next__)
    sets: list[int] = []
    starts, own_stops = [0], []
    for word in words:
        own = synsets.get(word, ())
        sets.extend(dense[number] for number in own)
        own_stops.append(len(sets))
        further = _sets_of_bases(word, synsets, bases) - set(own)
        sets.extend(dense[number] for number in sorted(further))
        starts.append(len(sets))
    texts = [word.encode("utf-8") for word in words]
    return {
        "key": keys,
        "text": np.frombuffer(b"".join(texts), np.uint8),
        "text_start": _starts(np.fromiter((len(text) for text in texts), np.int32)),
        "word_paraphrase": np.fromiter((paraphrase.get(word, -1) for word in words), np.int32),
        "sets": np.fromiter((number for number in sets), np.int32),
        "sets_start": np.fromiter((start for start in starts), np.int32),
        "sets_own": np.fromiter((stop for stop in own_stops), np.int32),
    }


def _sort_by_key(words: Collection[str]) -> tuple[Ints, list[str]]:
    """Return the keys in ascending order and the words; equal keys are ordered by text."""
    given = [*words]
    found = np.fromiter((string_hash(word) for word in given), np.uint32, len(given))
    order = np.argsort(found, kind="stable")
    keys, ordered = found[order], [given[place] for place in order.tolist()]
    again = np.flatnonzero(keys[1:] == keys[:-1])
    for start in again[np.diff(again, prepend=-2) > 1].tolist():
        stop = int(np.searchsorted(keys, keys[start], side="right"))
        ordered[start:stop] = sorted(ordered[start:stop])
    return keys, ordered


def _sets_of_bases(
    word: str, synsets: Mapping[str, tuple[int, ...]], bases: Mapping[str, tuple[str, ...]]
) -> set[int]:
    found = bases.get(word) or (base_form(word, synsets.__contains__),)
    return {number for base in found for number in synsets.get(base, ())}
