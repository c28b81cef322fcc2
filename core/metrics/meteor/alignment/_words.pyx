# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""The compiled preparation of texts: the same numbers and facts as `preparation` and `words`.

Those two modules are the text to read; names here are theirs.
"""

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize, PyBytes_GET_SIZE
from cpython.unicode cimport PyUnicode_DecodeUTF8
from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc, realloc
from libc.string cimport memcmp, memcpy

include "_word.pxi"

import numpy as np

from jurydesk.core.metrics.meteor.language_data.stemmers import stemmer_of
from jurydesk.core.metrics.meteor.language_data.wordnet import base_form
from jurydesk.core.metrics.meteor.languages import LANGUAGES

cdef extern from "Python.h":
    bint PyUnicode_IS_ASCII(object text)
    void* PyUnicode_DATA(object text)
    Py_ssize_t PyUnicode_GET_LENGTH(object text)

cdef enum:
    FIRST_ROWS = 4096
    FIRST_SLOTS = 8192  # a power of two, as every later number of slots
    LONGEST_PIECE = 255  # bytes of a piece that is remembered

cdef uint64_t HASH_START = 0xCBF29CE484222325ULL  # FNV-1a
cdef uint64_t HASH_PRIME = 0x100000001B3ULL


cdef const uint32_t* uint32_pointer(const uint32_t[::1] array):
    return &array[0] if array.shape[0] else NULL


cdef const uint8_t* uint8_pointer(const uint8_t[::1] array):
    return &array[0] if array.shape[0] else NULL


cdef uint32_t java_key(str word, int32_t* length):
    """`String.hashCode` and `String.length` of a word."""
    cdef uint32_t key = 0
    cdef int32_t units = 0
    cdef Py_UCS4 character
    cdef uint32_t unit
    for character in word:
        unit = <uint32_t>character
        units += 1
        if unit > 0xFFFF:  # two UTF-16 units
            key = 31 * key + (0xD7C0 + (unit >> 10))
            unit = 0xDC00 + (unit & 0x3FF)
            units += 1
        key = 31 * key + unit
    length[0] = units
    return key


cdef class FactTable:
    """The facts of words, looked up in one index; see `words.FactTable`."""

    cdef readonly object rows
    cdef Word* first_row
    cdef Py_ssize_t count
    cdef dict keys, stem_keys
    cdef frozenset function_words
    cdef object language, stem

    cdef object arrays  # owns what the pointers lead to
    cdef Py_ssize_t lexicon_size
    cdef const uint32_t* lexicon_key
    cdef const uint8_t* text
    cdef const int32_t* text_start
    cdef const int32_t* word_paraphrase
    cdef const int32_t* sets_start
    cdef const int32_t* sets_own
    cdef const uint32_t* vocabulary_stem
    cdef const int32_t* root
    cdef const int32_t* entry_start
    cdef const int32_t* entry_stop
    cdef const int32_t* child_start

    def __init__(self, index):
        arrays = self.arrays = index.arrays
        self.lexicon_size = len(arrays.key)
        self.lexicon_key = uint32_pointer(arrays.key)
        self.text = uint8_pointer(arrays.text)
        self.text_start = int32_pointer(arrays.text_start)
        self.word_paraphrase = int32_pointer(arrays.word_paraphrase)
        self.sets_start = int32_pointer(arrays.sets_start)
        self.sets_own = int32_pointer(arrays.sets_own)
        self.vocabulary_stem = uint32_pointer(arrays.vocabulary_stem)
        self.root = int32_pointer(arrays.root)
        self.entry_start = int32_pointer(arrays.entry_start)
        self.entry_stop = int32_pointer(arrays.entry_stop)
        self.child_start = int32_pointer(arrays.child_start)
        self.language = LANGUAGES[index.language]
        self.function_words = index.function_words
        self.keys, self.stem_keys = {}, {}
        self.count = 0
        self._set_rows(np.zeros((FIRST_ROWS, sizeof(Word) // sizeof(int32_t)), np.int32))

    cdef _set_rows(self, rows):
        cdef int32_t[:, ::1] view = rows
        self.rows = rows
        self.first_row = <Word*>&view[0, 0]

    def add(self, str word):
        """Append the row of a word."""
        cdef Word facts
        cdef uint32_t key = java_key(word, &facts.size)
        cdef Py_ssize_t place = self._find(word, key)
        cdef int32_t node = -1
        facts.paraphrase = -1 if place < 0 else self.word_paraphrase[place]
        facts.key = self.keys.setdefault(key, len(self.keys))
        facts.stem = self._stem_number(word, facts.paraphrase)
        facts.is_function = word.lower() in self.function_words
        if place >= 0:
            facts.sets_start, facts.sets_stop = self.sets_start[place], self.sets_start[place + 1]
        else:
            self._set_sets_of_base(word, &facts)
        if facts.paraphrase >= 0:
            node = self.root[facts.paraphrase]
        facts.entry_start = self.entry_start[node] if node >= 0 else 0
        facts.entry_stop = self.entry_stop[node] if node >= 0 else 0
        facts.child_start = self.child_start[node] if node >= 0 else 0
        facts.child_stop = self.child_start[node + 1] if node >= 0 else 0
        if self.count == len(self.rows):
            # The old table stays as it is for whoever reads it at the moment.
            self._set_rows(np.concatenate((self.rows, np.zeros_like(self.rows))))
        self.first_row[self.count] = facts
        self.count += 1

    cdef int32_t _stem_number(self, str word, int32_t paraphrase) except -1:
        cdef int32_t length
        cdef uint32_t key
        if paraphrase >= 0:
            key = self.vocabulary_stem[paraphrase]
        else:
            if self.stem is None:
                self.stem = stemmer_of(self.language)
            key = java_key(self.stem(word), &length)
        return self.stem_keys.setdefault(key, len(self.stem_keys))

    cdef _set_sets_of_base(self, str word, Word* facts):
        cdef int32_t length
        cdef str base = base_form(word, self.has_sets)
        cdef Py_ssize_t place = self._find(base, java_key(base, &length))
        facts.sets_start = self.sets_start[place] if place >= 0 else 0
        facts.sets_stop = self.sets_own[place] if place >= 0 else 0

    def has_sets(self, str word):
        """Whether the lexicon lists synonym sets for the word itself."""
        cdef int32_t length
        cdef Py_ssize_t place = self._find(word, java_key(word, &length))
        return place >= 0 and self.sets_own[place] > self.sets_start[place]

    cdef Py_ssize_t _find(self, str word, uint32_t key) except -2:
        """The place of a word with that Java key in the lexicon, or -1."""
        cdef bytes encoded
        if PyUnicode_IS_ASCII(word):
            return self._find_bytes(<const char*>PyUnicode_DATA(word), len(word), key)
        encoded = word.encode("utf-8", "surrogatepass")
        return self._find_bytes(encoded, len(encoded), key)

    cdef Py_ssize_t _find_bytes(self, const char* word, Py_ssize_t size, uint32_t key) noexcept:
        cdef Py_ssize_t low = 0, left = self.lexicon_size, half
        while left > 0:  # without a branch that the processor would have to guess
            half = (left + 1) >> 1
            low += half * (self.lexicon_key[low + half - 1] < key)
            left -= half
        while low < self.lexicon_size and self.lexicon_key[low] == key:
            if (
                self.text_start[low + 1] - self.text_start[low] == size
                and memcmp(self.text + self.text_start[low], word, size) == 0
            ):
                return low
            low += 1
        return -1


cdef struct Piece:
    uint64_t hash
    int64_t text  # where its bytes begin among all texts
    int64_t number  # of its word; of several, where their numbers begin among all numbers
    int32_t length  # 0 in a slot that is free
    int32_t words


cdef struct Numbers:
    int32_t* items
    int64_t count
    int64_t room


cdef int append(Numbers* numbers, const int32_t* items, int64_t count) except -1:
    cdef int64_t room
    cdef int32_t* moved
    if numbers.count + count > numbers.room:
        room = 2 * (numbers.count + count) + 64
        moved = <int32_t*>realloc(numbers.items, room * sizeof(int32_t))
        if not moved:
            raise MemoryError
        numbers.items, numbers.room = moved, room
    memcpy(numbers.items + numbers.count, items, count * sizeof(int32_t))
    numbers.count += count
    return 0


cdef bint rule_crosses_blank(
    const char* text, Py_ssize_t start, Py_ssize_t end, Py_ssize_t length
) noexcept:
    """Whether a rule of the normalizer may cross the blank after a piece."""
    cdef char last = text[end - 1], following
    cdef Py_ssize_t place = end
    if end == length:
        return False
    if last == c"'" or last == c"`":
        return True
    if last == c"." or last == c",":
        while place < length and text[place] == c" ":
            place += 1
        following = text[place] if place < length else 0
        if last == c",":
            return following == c","
        return end - start > 1 and (c"a" <= following <= c"z" or c"0" <= following <= c"9")
    # The quotation marks U+2018 and U+2019.
    return (
        end - start >= 3
        and (last == <char>0x98 or last == <char>0x99)
        and text[end - 2] == <char>0x80
        and text[end - 3] == <char>0xE2
    )


cdef class Pieces:
    """Numbers of the words of pieces between blanks, by the pieces' bytes in a hash table."""

    cdef object resolve
    cdef bint normalise
    cdef Piece* slots
    cdef int64_t mask, count
    cdef char* texts
    cdef int64_t texts_length, texts_room
    cdef Numbers all_numbers

    def __cinit__(self, resolve, bint normalise):
        self.resolve = resolve
        self.normalise = normalise
        self.mask = FIRST_SLOTS - 1
        self.slots = <Piece*>calloc(FIRST_SLOTS, sizeof(Piece))
        if not self.slots:
            raise MemoryError

    def __dealloc__(self):
        free(self.slots)
        free(self.texts)
        free(self.all_numbers.items)

    def numbers(self, str text):
        """The words of a text as int32 numbers, or None; see `tokens.Pieces`."""
        cdef Numbers found
        cdef bytes encoded
        found.items, found.count, found.room = NULL, 0, 0
        try:
            if PyUnicode_IS_ASCII(text):
                if not self._add(<const char*>PyUnicode_DATA(text), PyUnicode_GET_LENGTH(text), &found):
                    return None
            elif text.isprintable():
                encoded = text.encode("utf-8")
                if not self._add(PyBytes_AS_STRING(encoded), PyBytes_GET_SIZE(encoded), &found):
                    return None
            else:
                return None
            return PyBytes_FromStringAndSize(
                <const char*>found.items, found.count * <int64_t>sizeof(int32_t)
            )
        finally:
            free(found.items)

    cdef bint _add(self, const char* text, Py_ssize_t length, Numbers* found) except -1:
        """Add the numbers of all pieces of a text; False if it has to be prepared whole."""
        cdef Py_ssize_t start, end = 0
        cdef uint64_t digest
        cdef uint8_t character
        cdef const Piece* piece
        cdef int32_t number
        while end < length:
            if text[end] == c" ":
                end += 1
                continue
            start, digest = end, HASH_START
            while end < length and text[end] != c" ":
                character = <uint8_t>text[end]
                if character < 0x20 or character == 0x7F:
                    return False
                digest = (digest ^ character) * HASH_PRIME
                end += 1
            if self.normalise and rule_crosses_blank(text, start, end, length):
                return False
            piece = self._find(text + start, end - start, digest)
            if piece.length == 0:
                self._resolve(text + start, end - start, digest, found)
            elif piece.words == 1:
                number = <int32_t>piece.number
                append(found, &number, 1)
            else:
                append(found, self.all_numbers.items + piece.number, piece.words)
        return True

    cdef inline Piece* _find(self, const char* text, Py_ssize_t length, uint64_t digest) noexcept:
        """The slot of a piece, or the free one where it belongs."""
        cdef int64_t place = <int64_t>(digest ^ (digest >> 32)) & self.mask
        cdef Piece* piece = &self.slots[place]
        while piece.length and (
            piece.hash != digest
            or piece.length != length
            or memcmp(self.texts + piece.text, text, length)
        ):
            place = (place + 1) & self.mask
            piece = &self.slots[place]
        return piece

    cdef int _resolve(
        self, const char* text, Py_ssize_t length, uint64_t digest, Numbers* found
    ) except -1:
        """Add the numbers of a piece that is new; other threads may run meanwhile."""
        cdef bytes numbers = self.resolve(PyUnicode_DecodeUTF8(text, length, NULL))
        cdef const int32_t* items = <const int32_t*>PyBytes_AS_STRING(numbers)
        cdef int32_t words = <int32_t>(PyBytes_GET_SIZE(numbers) // <Py_ssize_t>sizeof(int32_t))
        cdef Piece* piece
        append(found, items, words)
        if length > LONGEST_PIECE:
            return 0
        self._make_room(length)
        piece = self._find(text, length, digest)
        if piece.length:
            return 0
        if words == 1:
            piece.number = items[0]
        else:
            piece.number = self.all_numbers.count
            append(&self.all_numbers, items, words)
        memcpy(self.texts + self.texts_length, text, length)
        piece.hash, piece.text, piece.words = digest, self.texts_length, words
        piece.length = <int32_t>length
        self.texts_length += length
        self.count += 1
        return 0

    cdef int _make_room(self, Py_ssize_t length) except -1:
        """Room for one more piece of that length; at least half of the slots stay free."""
        cdef char* texts
        cdef Piece* before = self.slots
        cdef int64_t i, slots = self.mask + 1, room = 2 * (self.texts_length + length)
        if self.texts_length + length > self.texts_room:
            texts = <char*>realloc(self.texts, room)
            if not texts:
                raise MemoryError
            self.texts, self.texts_room = texts, room
        if 2 * (self.count + 1) <= slots:
            return 0
        self.slots = <Piece*>calloc(2 * slots, sizeof(Piece))
        if not self.slots:
            self.slots = before
            raise MemoryError
        self.mask = 2 * slots - 1
        for i in range(slots):
            if before[i].length:
                self._find(self.texts + before[i].text, before[i].length, before[i].hash)[0] = (
                    before[i]
                )
        free(before)
        return 0
