# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""The compiled search of a fastText vocabulary: the same answers as `vocabulary.plain_rows`.

Words are read by eight bytes, which is sound: a whole entry has more than that after its word.
"""

import sys

from libc.stdint cimport int32_t, int64_t, uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcmp, memcpy, memset

import numpy as np

if sys.byteorder != "little":
    raise ImportError("the first byte of eight must be the lowest")

ctypedef const unsigned char* Place

cdef enum:
    COUNT_AND_TYPE = 9  # bytes after a word's NUL
    SPARSE = 4  # slots of the table for each wanted word, at least
    NOBODY = -1

cdef uint64_t ONES = 0x0101010101010101ULL
cdef uint64_t HIGHS = 0x8080808080808080ULL

cdef struct Word:
    Place text
    Py_ssize_t size
    uint64_t key

cdef struct Table:
    Word* words
    int32_t* slots
    Py_ssize_t mask


def rows_of(const unsigned char[::1] data, Py_ssize_t at, Py_ssize_t end, Py_ssize_t words, list wanted):
    """The row of each wanted word, -1 for one that is not there; and where the vocabulary ends.

    `words` entries are walked from `at`; the end is -1 where they go beyond `end`.
    """
    cdef Table table
    cdef Py_ssize_t number, slot
    cdef Word* word
    cdef bytes text
    rows = np.full(max(len(wanted), 1), NOBODY, np.int64)
    cdef int64_t[::1] found = rows
    if at < 0 or end > data.shape[0]:
        raise ValueError("the vocabulary is beyond the data")
    ended = [text + bytes(1 + COUNT_AND_TYPE) for text in wanted]
    table.mask = 1
    while table.mask < SPARSE * len(wanted):
        table.mask = 2 * table.mask + 1
    table.words = <Word*>malloc(max(len(wanted), 1) * sizeof(Word))
    table.slots = <int32_t*>malloc((table.mask + 1) * sizeof(int32_t))
    if table.words == NULL or table.slots == NULL:
        free(table.words)
        free(table.slots)
        raise MemoryError
    memset(table.slots, 0xFF, (table.mask + 1) * sizeof(int32_t))
    for number, text in enumerate(ended):
        word = &table.words[number]
        word.text = text
        read(word, word.text + len(text))
        if word.size + 1 + COUNT_AND_TYPE == len(text):  # else a NUL is in it: no entry has that
            slot = word.key & table.mask
            while table.slots[slot] != NOBODY:
                slot = (slot + 1) & table.mask
            table.slots[slot] = number
    with nogil:
        at = walk(&data[0], at, end, words, &table, &found[0])
    free(table.words)
    free(table.slots)
    return rows[: len(wanted)], at


cdef Py_ssize_t walk(
    Place data, Py_ssize_t at, Py_ssize_t end, Py_ssize_t words, const Table* table, int64_t* found
) noexcept nogil:
    cdef Word entry
    cdef const Word* wanted
    cdef Py_ssize_t row, slot
    for row in range(words):
        entry.text = data + at
        if not read(&entry, data + end):
            return -1
        slot = entry.key & table.mask
        while table.slots[slot] != NOBODY:
            wanted = &table.words[table.slots[slot]]
            if (
                wanted.key == entry.key
                and wanted.size == entry.size
                and memcmp(wanted.text, entry.text, entry.size) == 0
            ):
                if found[table.slots[slot]] == NOBODY:
                    found[table.slots[slot]] = row
                break
            slot = (slot + 1) & table.mask
        at += entry.size + 1 + COUNT_AND_TYPE
    return at


cdef inline bint read(Word* word, Place end) noexcept nogil:
    """Find a word's size and hash; whether its entry is whole before the end."""
    cdef Place text = word.text
    cdef uint64_t key = 0
    cdef uint64_t part, first
    while True:
        if end - text < 8:
            return False
        memcpy(&part, text, 8)
        first = (part - ONES) & ~part & HIGHS  # the lowest bit is in the first byte that is zero
        if first:
            break
        key = mixed(key, part)
        text += 8
    first = (first & (~first + 1)) - 1  # all bits before it
    word.size = text - word.text + (((first >> 7 & ONES) * ONES) >> 56)
    word.key = mixed(key ^ <uint64_t>word.size, part & first)
    return end - word.text - word.size > COUNT_AND_TYPE


cdef inline uint64_t mixed(uint64_t key, uint64_t part) noexcept nogil:
    key = (key ^ part) * 0x9FB21C651E98DF25ULL  # any odd number whose bits are mixed
    return key ^ key >> 32
