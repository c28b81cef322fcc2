# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Words of lines that all look alike, for `xml_fast.LineParser`; the strict reader has the last say.

It looks at eight bytes at a time, the first of them lowest.
"""

from libc.stdint cimport int32_t, uint64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memchr, memcpy

from jurydesk.core.tasks.keyword_spotting.icfhr.byte_values import (
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

cdef uint64_t EACH = 0x0101010101010101ULL  # times a byte: this byte eight times
cdef uint64_t HIGH_BITS = 0x8080808080808080ULL
cdef uint64_t ALL = 0xFFFFFFFFFFFFFFFFULL
cdef uint64_t FACTOR = 0x9E3779B97F4A7C15ULL

ctypedef const unsigned char* Place

cdef struct Text:  # with seven bytes behind it that can be read
    Place start
    Py_ssize_t size

cdef struct Slot:
    uint64_t key
    int32_t code  # counted from 1; 0 is a free slot


cdef class Scanner:
    """Reads the words of one file, whose lines have `gaps` around values in the order `fields`.

    The last gap ends with the newline.
    """

    cdef readonly list names
    cdef list _kept
    cdef Text _gaps[VALUES + 1]
    cdef int _fields[VALUES]
    cdef Slot* _slots
    cdef Text* _texts
    cdef Py_ssize_t _most_names, _longest_name

    def __cinit__(self, gaps, fields):
        self._most_names, self._longest_name = MAX_DOCUMENTS, MAX_NAME_BYTES
        self._slots = <Slot*>calloc(SLOTS, sizeof(Slot))
        self._texts = <Text*>calloc(self._most_names, sizeof(Text))
        if self._slots == NULL or self._texts == NULL:
            raise MemoryError
        if len(gaps) != VALUES + 1 or sorted(fields) != list(range(VALUES)):
            raise ValueError("a layout has five values and six gaps")
        self.names, self._kept = [], []
        for index, text in enumerate(gaps):
            self._gaps[index] = self._keep(text)
        for index, field in enumerate(fields):
            self._fields[index] = field

    def __dealloc__(self):
        free(self._slots)
        free(self._texts)

    cdef Text _keep(self, bytes text):
        """A copy of a text, which lives as long as this object."""
        cdef bytes copy = text + bytes(8)
        self._kept.append(copy)
        return Text(<Place>copy, len(text))

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
        cdef int32_t line = 0
        cdef Py_ssize_t words = 0
        cdef list others = []
        while at < beyond:
            if is_at(&self._gaps[0], at, beyond):
                if words >= numbers.shape[0]:
                    raise UnusualError("no room for the word")
                at += self._gaps[0].size
                at = self._word(at, beyond, &document[words], &boxes[words, 0])
                numbers[words] = line
                words += 1
            else:
                end = <Place>memchr(at, c"\n", beyond - at)
                if end == NULL:
                    raise UnusualError("no end of the line")
                others.append((line, block[at - begin : end - begin]))
                at = end + 1
            line += 1
        return line, words, others

    cdef Place _word(
        self, Place at, Place beyond, int32_t* document, int32_t* box
    ) except NULL:
        """Read the five values and what is between them; return where the next line begins.

        No gap but the last holds a newline, nor does a value: the word ends with its line.
        """
        cdef int value
        for value in range(VALUES):
            if self._fields[value] == DOCUMENT:
                at = self._document(at, beyond, document)
            else:
                at = read_number(at, beyond, box + self._fields[value])
            if not is_at(&self._gaps[value + 1], at, beyond):
                raise UnusualError("another gap")
            at += self._gaps[value + 1].size
        if box[WIDTH] <= 0 or box[WIDTH + 1] <= 0:
            raise UnusualError("a box without area")
        return at

    cdef Place _document(self, Place at, Place beyond, int32_t* code) except NULL:
        """Read a document's name up to its quote; the name is validated when it is new."""
        cdef uint64_t key = 0
        cdef uint64_t part, name = ALL
        cdef Py_ssize_t size = 0
        while name == ALL:
            if size > self._longest_name:
                raise UnusualError("a long name")
            part = eight(at + size, beyond)
            name = below(equal(part, c'"'))
            key = (key ^ (part & name)) * FACTOR
            key ^= key >> 32
            size += bytes_of(name)
        if size > self._longest_name:
            raise UnusualError("a long name")
        code[0] = self._code(key, Text(at, size), beyond)
        return at + size

    cdef int32_t _code(self, uint64_t key, Text name, Place beyond) except -1:
        cdef Py_ssize_t index
        cdef Slot* slot
        cdef Text* known
        for index in range(PROBES):
            slot = self._slots + ((key + <uint64_t>index) & (SLOTS - 1))
            if slot.code == 0:
                return self._new_code(slot, key, name.start[: name.size])
            if slot.key == key:
                known = self._texts + (slot.code - 1)
                if known.size == name.size and is_at(known, name.start, beyond):
                    return slot.code - 1
        raise UnusualError("names that share their slots")

    cdef int32_t _new_code(self, Slot* slot, uint64_t key, bytes name) except -1:
        cdef Py_ssize_t code = len(self.names)
        if code >= self._most_names:
            raise UnusualError("very many documents")
        self.names.append(plain_text(name))
        self._texts[code] = self._keep(name)
        slot.key, slot.code = key, <int32_t>(code + 1)
        return <int32_t>code


cdef Place read_number(Place at, Place beyond, int32_t* number) except NULL:
    """Read a number of 1 to 8 digits, with or without a minus sign; returns where it ends."""
    cdef bint negative = at < beyond and at[0] == c"-"
    cdef uint64_t digits, number_bytes
    cdef Py_ssize_t size
    if negative:
        at += 1
    digits = eight(at, beyond) ^ (EACH * c"0")
    # Adding 0x76 to a byte sets its highest bit from 10 on; a carry reaches later bytes alone.
    number_bytes = below(((digits + EACH * 0x76) | digits) & HIGH_BITS)
    size = bytes_of(number_bytes)
    if size == 0:
        raise UnusualError("no digits")
    number[0] = <int32_t>joined((digits & number_bytes) << (8 * (8 - size)))
    if negative:
        number[0] = -number[0]
    return at + size


cdef inline uint64_t joined(uint64_t digits) noexcept nogil:
    """The number whose eight digits are the bytes of `digits`, as in `xml_bytes`."""
    digits = (digits * 10 + (digits >> 8)) & 0x00FF00FF00FF00FFULL
    digits = (digits * 100 + (digits >> 16)) & 0x0000FFFF0000FFFFULL
    return (digits * 10_000 + (digits >> 32)) & 0xFFFFFFFFULL


cdef inline bint is_at(Text* text, Place at, Place beyond) noexcept nogil:
    """Whether a text, which is not empty, is at a place."""
    cdef Place expected = text.start
    cdef Py_ssize_t rest = text.size
    cdef uint64_t wanted
    while True:
        memcpy(&wanted, expected, 8)
        if rest <= 8:
            return (eight(at, beyond) ^ wanted) << (8 * (8 - rest)) == 0
        if eight(at, beyond) != wanted:
            return False
        at += 8
        expected += 8
        rest -= 8


cdef inline uint64_t eight(Place at, Place beyond) noexcept nogil:
    """The eight bytes from a place on; 0 for those that are beyond the lines."""
    cdef uint64_t found = 0
    if beyond - at >= 8:
        memcpy(&found, at, 8)
    elif beyond > at:
        memcpy(&found, at, beyond - at)
    return found


cdef inline uint64_t equal(uint64_t part, uint64_t byte) noexcept nogil:
    """The highest bit of each byte that equals `byte`, of the first for certain."""
    part ^= EACH * byte
    return (part - EACH) & ~part & HIGH_BITS


cdef inline uint64_t below(uint64_t flags) noexcept nogil:
    """A mask of the bytes before the first whose highest bit is set; of all where none is."""
    return ((flags & (~flags + 1)) >> 7) - 1


cdef inline Py_ssize_t bytes_of(uint64_t mask) noexcept nogil:
    """How many bytes a mask of whole bytes keeps."""
    return ((mask & EACH) * EACH) >> 56
