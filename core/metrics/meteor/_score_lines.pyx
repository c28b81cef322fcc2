# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""The compiled `interpreted_score_lines` of `pair_lines`: the same bytes."""

from cpython.bytes cimport PyBytes_FromStringAndSize
from cpython.mem cimport PyMem_Free
from libc.stdint cimport int32_t, int64_t
from libc.stdlib cimport free, realloc
from libc.string cimport memcpy, strlen

cdef extern from "Python.h":
    enum:
        Py_DTSF_ADD_DOT_0
    char* PyOS_double_to_string(double value, char code, int precision, int flags, int* kind) except NULL

cdef enum:
    MOST_DIGITS = 13  # of an int32 with its sign and ", "
    MOST_AROUND = 128  # bytes of a line around its numbers, and its score
    MATCH_NUMBERS = 5

cdef struct Text:
    char* start
    size_t length
    size_t room


cdef int make_room(Text* text, size_t more) except -1:
    cdef char* moved
    if text.length + more > text.room:
        text.room = 2 * (text.length + more)
        moved = <char*>realloc(text.start, text.room)
        if not moved:
            raise MemoryError
        text.start = moved
    return 0


cdef inline void add(Text* text, const char* piece) noexcept:
    cdef size_t length = strlen(piece)
    memcpy(text.start + text.length, piece, length)
    text.length += length


cdef inline void add_number(Text* text, int64_t number) noexcept:
    cdef char digits[MOST_DIGITS]
    cdef int place = MOST_DIGITS
    cdef int64_t left = -number if number < 0 else number
    while True:
        place -= 1
        digits[place] = <char>(c"0" + left % 10)
        left //= 10
        if left == 0:
            break
    if number < 0:
        place -= 1
        digits[place] = c"-"
    memcpy(text.start + text.length, &digits[place], MOST_DIGITS - place)
    text.length += MOST_DIGITS - place


cdef inline void add_list(Text* text, const int32_t* numbers, Py_ssize_t count) noexcept:
    cdef Py_ssize_t i
    add(text, b"[")
    for i in range(count):
        if i:
            add(text, b", ")
        add_number(text, numbers[i])
    add(text, b"]")


cdef int add_score(Text* text, double score) except -1:
    cdef char* digits = PyOS_double_to_string(score, c"r", 0, Py_DTSF_ADD_DOT_0, NULL)
    add(text, digits)
    PyMem_Free(digits)
    return 0


def score_lines(
    const double[::1] scores,
    const int32_t[:, ::1] counts,
    const int32_t[:, ::1] matches,
    const int32_t[::1] lengths,
):
    """Return the lines of n hypotheses: counts (n, 23), matches (m, 5), and their number (n,)."""
    cdef Text text
    cdef Py_ssize_t i, k, width = counts.shape[1], first = 0, number = scores.shape[0]
    text.start, text.length, text.room = NULL, 0, 0
    if counts.shape[0] != number or lengths.shape[0] != number or matches.shape[1] != MATCH_NUMBERS:
        raise ValueError("scores, counts, matches and lengths do not fit each other")
    try:
        for i in range(number):
            if lengths[i] < 0 or first + lengths[i] > matches.shape[0]:
                raise ValueError("matches and lengths do not fit each other")
            make_room(
                &text, MOST_AROUND + MOST_DIGITS * (width + (MATCH_NUMBERS + 1) * lengths[i])
            )
            add(&text, b'{"score": ')
            add_score(&text, scores[i])
            add(&text, b', "stats": ')
            add_list(&text, &counts[i, 0], width)
            add(&text, b', "matches": [')
            for k in range(first, first + lengths[i]):
                if k > first:
                    add(&text, b", ")
                add_list(&text, &matches[k, 0], MATCH_NUMBERS)
            add(&text, b"]}\n")
            first += lengths[i]
        return PyBytes_FromStringAndSize(text.start, text.length)
    finally:
        free(text.start)
