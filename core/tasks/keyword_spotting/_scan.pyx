# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""The compiled twin of `xml_lines.LineParser`, which is the text to read."""

from libc.stdint cimport int32_t, uint64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memchr, memcmp

from core.tasks.keyword_spotting.xml_bytes import (
    MAX_DIGITS,
    MAX_DOCUMENTS,
    MAX_NAME_BYTES,
    UnusualError,
    plain_text,
)

cdef enum:
    VALUES = 5
    DOCUMENT = 4  # the other values are the columns of a box
    WIDTH = 2
    SLOTS = 1 << 18  # twice the documents at most, so that a free slot is near
    PROBES = 64

cdef struct Gap:
    const unsigned char* text
    Py_ssize_t size

cdef struct Slot:
    uint64_t key
    int32_t code  # counted from 1; 0 is a free slot

ctypedef const unsigned char* Place


cdef class Scanner:
    """Reads the words of one file, whose lines have `gaps` around values in the order `fields`."""

    cdef readonly list names
    cdef list _texts
    cdef tuple _gap_texts
    cdef Gap _gaps[VALUES + 1]
    cdef int _fields[VALUES]
    cdef Slot* _slots
    cdef int _max_digits, _max_name

    def __cinit__(self, gaps, fields):
        self._slots = <Slot*>calloc(SLOTS, sizeof(Slot))
        if self._slots == NULL:
            raise MemoryError
        if len(gaps) != VALUES + 1 or sorted(fields) != list(range(VALUES)):
            raise ValueError("a layout has five values and six gaps")
        self._gap_texts = tuple(gaps)  # keeps alive what the pointers point to
        for index, text in enumerate(self._gap_texts):
            self._gaps[index] = Gap(<bytes>text, len(text))
        for index, field in enumerate(fields):
            self._fields[index] = field
        self.names, self._texts = [], []
        self._max_digits, self._max_name = MAX_DIGITS, MAX_NAME_BYTES

    def __dealloc__(self):
        free(self._slots)

    def scan(
        self,
        bytes block,
        Py_ssize_t start,
        Py_ssize_t stop,
        int32_t[::1] numbers,
        int32_t[::1] document,
        int32_t[:, ::1] boxes,
    ):
        """Read the lines in block[start:stop], the last of which ends with a newline.

        The words fill the first rows of the arrays. Returns how many lines and words there are,
        and the other lines.
        """
        cdef Place begin = block
        cdef Place at = begin + start
        cdef Place beyond = begin + stop
        cdef Place end
        cdef Gap opening = self._gaps[0]
        cdef int32_t line = 0
        cdef Py_ssize_t words = 0
        cdef list others = []
        while at < beyond:
            end = <Place>memchr(at, c"\n", beyond - at)
            if end == NULL or words >= numbers.shape[0]:
                raise UnusualError("no room for the line")
            if end - at > opening.size and memcmp(at, opening.text, opening.size) == 0:
                document[words] = self._word(at + opening.size, end, &boxes[words, 0])
                numbers[words] = line
                words += 1
            else:
                others.append((line, block[at - begin : end - begin]))
            at = end + 1
            line += 1
        return line, words, others

    cdef int32_t _word(self, Place at, Place end, int32_t* box) except -1:
        """Read the five values up to the end of the line; returns the code of the document."""
        cdef int32_t code = -1
        cdef int value
        cdef Place quote
        cdef Gap gap
        for value in range(VALUES):
            quote = at
            while quote < end and quote[0] != c'"':
                quote += 1
            if self._fields[value] == DOCUMENT:
                code = self._code(at, quote - at)
            else:
                box[self._fields[value]] = self._number(at, quote)
            gap = self._gaps[value + 1]
            if end - quote < gap.size or memcmp(quote, gap.text, gap.size) != 0:
                raise UnusualError("another gap")
            at = quote + gap.size
        if at != end or box[WIDTH] <= 0 or box[WIDTH + 1] <= 0:
            raise UnusualError("something behind the word, or a box without area")
        return code

    cdef int32_t _number(self, Place at, Place quote) except? -1:
        cdef bint negative = at < quote and at[0] == c"-"
        cdef int32_t number = 0
        if negative:
            at += 1
        if quote - at < 1 or quote - at > self._max_digits:
            raise UnusualError("no number of 1 to 8 digits")
        while at < quote:
            if at[0] < c"0" or at[0] > c"9":
                raise UnusualError("no digits")
            number = 10 * number + at[0] - c"0"
            at += 1
        return -number if negative else number

    cdef int32_t _code(self, Place at, Py_ssize_t size) except -1:
        """The code of a document; its name is validated when it is new."""
        cdef uint64_t key = 14695981039346656037ULL  # FNV-1a
        cdef Py_ssize_t index
        cdef Slot* slot
        cdef bytes text
        if size > self._max_name:
            raise UnusualError("a long name")
        for index in range(size):
            key = (key ^ at[index]) * 1099511628211ULL
        for index in range(PROBES):
            slot = self._slots + ((key + <uint64_t>index) & (SLOTS - 1))
            if slot.code == 0:
                return self._new_code(slot, key, at[:size])
            if slot.key == key:
                text = self._texts[slot.code - 1]
                if len(text) == size and memcmp(at, <Place>text, size) == 0:
                    return slot.code - 1
        raise UnusualError("names that share their slots")

    cdef int32_t _new_code(self, Slot* slot, uint64_t key, bytes text) except -1:
        if len(self._texts) >= MAX_DOCUMENTS:
            raise UnusualError("very many documents")
        self.names.append(plain_text(text))
        self._texts.append(text)
        slot.key, slot.code = key, <int32_t>len(self._texts)
        return slot.code - 1
