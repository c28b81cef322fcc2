# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Hashing, comparing and sorting names that stay in the bytes of a file; see `ByteNames`."""

from libc.stdint cimport int64_t, uint8_t, uint64_t
from libc.stdlib cimport free, malloc, qsort
from libc.string cimport memcmp, memcpy

import numpy as np

ctypedef const unsigned char* Place

cdef struct Name:
    Place text
    Py_ssize_t size
    int64_t group
    int64_t row


def keys_of(bytes data, const int64_t[::1] starts, const int64_t[::1] sizes):
    """The hash of each name."""
    cdef Py_ssize_t row
    cdef Place begin = data
    cdef uint64_t[::1] keys = np.empty(len(starts), np.uint64)
    with nogil:
        for row in range(starts.shape[0]):
            keys[row] = key_of(begin + starts[row], sizes[row])
    return np.asarray(keys)


cdef inline uint64_t key_of(Place text, Py_ssize_t size) noexcept nogil:
    cdef uint64_t key = <uint64_t>size
    cdef uint64_t part
    while size > 0:
        part = 0
        if size >= 8:
            memcpy(&part, text, 8)
        else:
            while size > 0:
                size -= 1
                part = part << 8 | text[size]
        key = (key ^ part) * 0x9FB21C651E98DF25ULL  # any odd number whose bits are mixed
        key ^= key >> 32
        text += 8
        size -= 8
    return key


def differ(
    bytes data, const int64_t[::1] starts, const int64_t[::1] sizes,
    bytes other, const int64_t[::1] other_starts, const int64_t[::1] other_sizes,
):
    """Where the names of two columns of equal length differ."""
    cdef Py_ssize_t row
    cdef Place begin = data
    cdef Place other_begin = other
    cdef uint8_t[::1] found = np.empty(len(starts), np.uint8)
    with nogil:
        for row in range(starts.shape[0]):
            found[row] = sizes[row] != other_sizes[row] or memcmp(
                begin + starts[row], other_begin + other_starts[row], sizes[row]
            ) != 0
    return np.asarray(found).view(np.bool_)


def descending(
    bytes data, const int64_t[::1] starts, const int64_t[::1] sizes, const int64_t[::1] groups
):
    """The order of names by group, and in each by bytes, the highest first."""
    cdef Py_ssize_t row
    cdef Py_ssize_t count = len(starts)
    cdef Place begin = data
    cdef int64_t[::1] order = np.empty(count, np.int64)
    cdef Name* names = <Name*>malloc(max(count, 1) * sizeof(Name))
    if names == NULL:
        raise MemoryError
    for row in range(count):
        names[row] = Name(begin + starts[row], sizes[row], groups[row], row)
    with nogil:
        qsort(names, count, sizeof(Name), &compared)
    for row in range(count):
        order[row] = names[row].row
    free(names)
    return np.asarray(order)


cdef int compared(const void* one, const void* other) noexcept nogil:
    cdef const Name* a = <const Name*>one
    cdef const Name* b = <const Name*>other
    cdef int difference
    if a.group != b.group:
        return -1 if a.group < b.group else 1
    difference = memcmp(b.text, a.text, min(a.size, b.size))
    if difference:
        return difference
    if a.size != b.size:
        return -1 if a.size > b.size else 1
    return -1 if a.row < b.row else 1
