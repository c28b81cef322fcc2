# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""The columns of trec_eval lines, compiled; `trec_rows` is the text to read.

Names stay where they are in the bytes of the file: each is a start and a size.
"""

from libc.math cimport fma
from libc.stdint cimport int64_t, uint8_t, uint64_t
from libc.string cimport memchr, memcmp

import numpy as np

cdef extern from "Python.h":
    double PyOS_string_to_double(const char* text, char** end, void* overflow) except? -1.0

ctypedef const unsigned char* Place

cdef enum:
    PLAIN, BLANK, NEWLINE, NUL  # kinds of bytes

cdef enum:
    QUERY, ITERATION, DOCUMENT, RANK, SCORE, RUN, FIELDS  # of a result line
    GRADE = 3  # of a judgement line

cdef enum:
    DIGITS = 18  # that 64 bits hold for certain
    POWERS = 23
    EXACT_BITS = 53

cdef uint8_t KIND[256]
cdef double POWER[POWERS]  # the powers of ten that are exact

for _byte in range(256):
    KIND[_byte] = PLAIN
for _byte in (9, 11, 12, 13, 32):
    KIND[_byte] = BLANK
KIND[10] = NEWLINE
KIND[0] = NUL
for _power in range(POWERS):
    POWER[_power] = float(10**_power)


cdef struct Field:
    Place start
    Py_ssize_t size

cdef struct Rows:  # what is read, as pointers into arrays
    Place begin
    int64_t *starts
    int64_t *sizes
    double *numbers
    int64_t *ranks
    int64_t *lines
    int64_t *runs  # the first row of neighbours that have the same query
    int64_t *queries
    int64_t *query_sizes
    int64_t *hard  # rows whose number is left to Python, and where it is
    int64_t *hard_starts
    Py_ssize_t count
    Py_ssize_t line_count
    Py_ssize_t run_count
    Py_ssize_t hard_count
    bint ranked  # whether the rank column holds whole numbers
    Field last[FIELDS]


def read(bytes data, bint results):
    """The columns of result lines or of judgement lines; None where one of the lines is neither.

    A tuple of `starts` and `sizes` of the documents' names, `numbers` (scores or relevance),
    `ranks` (None where one is no whole number), `lines` (counted from 0; None where every line is
    a row), the first rows of neighbours of the same query, the starts and sizes of these queries,
    and the last run name.
    """
    cdef Py_ssize_t most = data.count(b"\n") + 1
    cdef int64_t[:, ::1] whole = np.empty((9, most), np.int64)
    cdef double[::1] numbers = np.empty(most)
    cdef Rows rows
    cdef Place end = <Place>data + len(data)
    cdef bint sound
    rows.begin = data
    rows.starts, rows.sizes, rows.ranks = &whole[0, 0], &whole[1, 0], &whole[2, 0]
    rows.lines, rows.runs, rows.queries = &whole[3, 0], &whole[4, 0], &whole[5, 0]
    rows.query_sizes, rows.hard, rows.hard_starts = &whole[6, 0], &whole[7, 0], &whole[8, 0]
    rows.numbers = &numbers[0]
    rows.count = rows.line_count = rows.run_count = rows.hard_count = 0
    rows.ranked = True
    with nogil:
        sound = read_lines(&rows, rows.begin, end, results)
    if not sound or not rows.count or not read_hard_numbers(&rows):
        return None
    every = np.asarray(whole)[:, : rows.count]
    runs = np.asarray(whole)[:, : rows.run_count]
    return (
        every[0],
        every[1],
        np.asarray(numbers)[: rows.count],
        every[2] if rows.ranked else None,
        every[3] if rows.count < rows.line_count else None,
        runs[4],
        runs[5],
        runs[6],
        rows.last[RUN].start[: rows.last[RUN].size] if results else b"",
    )


cdef bint read_lines(Rows* rows, Place at, Place end, bint results) noexcept nogil:
    cdef int wanted = FIELDS if results else GRADE + 1
    cdef int count
    while at < end:
        at = read_fields(at, end, rows.last, wanted, &count)
        if count:
            if count < wanted or (count > wanted and not results):
                return False
            add_row(rows, SCORE if results else GRADE)
        rows.line_count += 1
        at += 1
    return True


cdef Place read_fields(Place at, Place end, Field* fields, int wanted, int* count) noexcept nogil:
    """Read the first fields of a line, and count all of them (-1 where there is a NUL).

    Returns where the line ends; a comment has no fields.
    """
    cdef Field found
    count[0] = 0
    while True:
        while KIND[at[0]] == BLANK:
            at += 1
        if KIND[at[0]] == NEWLINE or at >= end:
            return at
        if at[0] == c"#" and count[0] == 0:
            at = <Place>memchr(at, c"\n", end - at)
            return end if at == NULL else at
        found.start = at
        while KIND[at[0]] == PLAIN:
            at += 1
        if KIND[at[0]] == NUL and at < end:
            count[0] = -1
            return at
        found.size = at - found.start
        if count[0] < wanted:
            fields[count[0]] = found
        count[0] += 1


cdef void add_row(Rows* rows, int number) noexcept nogil:
    cdef Py_ssize_t row = rows.count
    cdef Field query = rows.last[QUERY]
    cdef Field name = rows.last[DOCUMENT]
    if row == 0 or not is_query(rows, query):
        rows.runs[rows.run_count] = row
        rows.queries[rows.run_count] = query.start - rows.begin
        rows.query_sizes[rows.run_count] = query.size
        rows.run_count += 1
    rows.starts[row] = name.start - rows.begin
    rows.sizes[row] = name.size
    rows.lines[row] = rows.line_count
    if not read_number(rows.last[number], &rows.numbers[row]):
        rows.hard[rows.hard_count] = row
        rows.hard_starts[rows.hard_count] = rows.last[number].start - rows.begin
        rows.hard_count += 1
    if number == SCORE and rows.ranked:
        rows.ranked = read_whole(rows.last[RANK], &rows.ranks[row])
    rows.count += 1


cdef inline bint is_query(Rows* rows, Field query) noexcept nogil:
    """Whether the row before belongs to the same query."""
    cdef Py_ssize_t run = rows.run_count - 1
    cdef Place before = rows.begin + rows.queries[run]
    return query.size == rows.query_sizes[run] and memcmp(query.start, before, query.size) == 0


cdef inline bint read_whole(Field field, int64_t* value) noexcept nogil:
    """Read a whole number of at most `DIGITS` digits; False where there is none."""
    cdef Place at = field.start
    cdef Place end = at + field.size
    cdef bint negative = at[0] == c"-"
    cdef int64_t whole = 0
    if negative or at[0] == c"+":
        at += 1
    if at == end or end - at > DIGITS:
        return False
    while at < end:
        if at[0] < c"0" or at[0] > c"9":
            return False
        whole = 10 * whole + at[0] - c"0"
        at += 1
    value[0] = -whole if negative else whole
    return True


cdef inline bint read_number(Field field, double* value) noexcept nogil:
    """Read a number, correctly rounded; False where it is none, or takes more than this."""
    cdef Place at = field.start
    cdef Place end = at + field.size
    cdef bint negative = at[0] == c"-"
    cdef uint64_t digits = 0
    cdef int count = 0
    cdef int power = 0
    cdef bint behind_point = False
    if negative or at[0] == c"+":
        at += 1
    while at < end and count <= DIGITS:
        if c"0" <= at[0] <= c"9":
            digits = 10 * digits + at[0] - c"0"
            count += 1
            power -= behind_point
        elif at[0] == c"." and not behind_point:
            behind_point = True
        else:
            break
        at += 1
    if not 0 < count <= DIGITS or not read_exponent(at, end, &power):
        return False
    if not scaled(<int64_t>digits, power, value):
        return False
    if negative:
        value[0] = -value[0]
    return True


cdef inline bint read_exponent(Place at, Place end, int* power) noexcept nogil:
    """Add the exponent to `power`; False where there is anything else than one or nothing."""
    cdef bint negative
    cdef int exponent = 0
    if at == end:
        return True
    if at[0] | 32 != c"e" or end - at < 2:
        return False
    at += 1
    negative = at[0] == c"-"
    if negative or at[0] == c"+":
        at += 1
    if not 0 < end - at < 4:
        return False
    while at < end:
        if at[0] < c"0" or at[0] > c"9":
            return False
        exponent = 10 * exponent + at[0] - c"0"
        at += 1
    power[0] += -exponent if negative else exponent
    return True


cdef inline bint scaled(int64_t digits, int power, double* value) noexcept nogil:
    """digits * 10^power, correctly rounded; False where that is not certain.

    One operation on two exact numbers rounds once (Clinger, "How to read floating point numbers
    accurately", PLDI 1990). Too many digits for that are divided with a remainder.
    """
    cdef double quotient, high, rest
    if not -POWERS < power < POWERS:
        return False
    high = <double>digits
    if power == 0:
        value[0] = high
        return True
    if digits >> EXACT_BITS == 0:
        value[0] = high * POWER[power] if power > 0 else high / POWER[-power]
        return True
    if power > 0:
        return False
    quotient = high / POWER[-power]
    rest = fma(-quotient, POWER[-power], high) + <double>(digits - <int64_t>high)
    rest /= POWER[-power]
    # The rest is wrong by a few units of its own last place, which seldom matters.
    value[0] = quotient + rest * (1.0 + 2.0**-50)
    return value[0] == quotient + rest * (1.0 - 2.0**-50)


cdef bint read_hard_numbers(Rows* rows) except -1:
    """Read the numbers that were left; False where one is none, or is NaN."""
    cdef Py_ssize_t index
    cdef const char* text
    cdef char* end
    cdef double value
    for index in range(rows.hard_count):
        text = <const char*>rows.begin + rows.hard_starts[index]
        try:
            value = PyOS_string_to_double(text, &end, NULL)
        except ValueError:
            return False
        if KIND[<unsigned char>end[0]] == PLAIN or value != value:
            return False
        rows.numbers[rows.hard[index]] = value
    return True
