# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""The compiled aligner: the same matches, search and counts as `matching`, `beam` and `counts`.

Those three modules are the text to read; names here are theirs. A `Kernel` belongs to one thread
at a time and lets other threads run while it works. All of it is whole numbers, so no compiler's
floating point can change a score.
"""

from libc.stdint cimport int32_t, int64_t, uint16_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc, realloc
from libc.string cimport memcpy, memset

import numpy as np

cdef enum:
    COUNTS = 23
    MATCH_NUMBERS = 5
    CHUNKS = 20
    EXACT = 0
    CLOSED = -1
    NO_SECOND = 0xFFFF
    SKIPPED = -1  # the candidate leaves the word unmatched
    UNCHANGED = -2  # the candidate's last match covers the word
    RANK_BITS = 62
    NO_MEMORY = -1
    TOO_LONG = -2

cdef enum Column:
    KEY, STEM, PARAPHRASE, FUNCTION, SIZE, SETS_START, SETS_STOP, COLUMNS

cdef struct Match:
    int32_t start
    int32_t length
    int32_t place
    int32_t size
    int32_t stage
    int32_t gain

cdef struct Path:
    int64_t rank  # minus the words matched, chunks, distance: one number, from high to low
    int32_t position
    int32_t chunk_end
    int32_t chosen
    int32_t used  # which row of the used words is this path's

cdef struct Candidate:
    int64_t rank
    int32_t parent
    int32_t match  # or one of the two below

cdef struct Chosen:
    int32_t match
    int32_t before

cdef struct Line:
    const int32_t* words
    int32_t length
    int32_t* paraphrase


cdef inline int32_t distance_of(const Match* match) noexcept nogil:
    return match.start - match.place if match.start > match.place else match.place - match.start


cdef inline int bits_for(int64_t value) noexcept nogil:
    cdef int bits = 0
    while value:
        bits += 1
        value >>= 1
    return bits


cdef _raise_for(int outcome):
    if outcome == NO_MEMORY:
        raise MemoryError
    if outcome == TOO_LONG:
        raise OverflowError("The lines are too long for the compiled aligner.")


cdef class Kernel:
    """Aligns pairs of sentences given as word numbers, over the arrays of one index."""

    cdef const int32_t[::1] sets
    cdef const int32_t[::1] root
    cdef const uint16_t[::1] node_word
    cdef const int32_t[::1] child_start
    cdef const int32_t[::1] entry_start
    cdef const int32_t[::1] entry_stop
    cdef const uint16_t[::1] entry_first
    cdef const uint16_t[::1] entry_second
    cdef const uint16_t[::1] rest
    cdef const int32_t[::1] rest_start

    # The settings of the call, and the facts of words.
    cdef const int32_t* table
    cdef int32_t stem_stage, synonym_stage, paraphrase_stage, beam
    cdef bint characters

    # The two lines, with room for `room` words each.
    cdef Line hypothesis, reference
    cdef int32_t room

    # First place of a key, a stem, a table word (-1 for none), and the next place of the same.
    cdef int32_t* first_key
    cdef int32_t* first_stem
    cdef int32_t* first_phrase
    cdef int32_t* next_key
    cdef int32_t* next_stem
    cdef int32_t* next_phrase
    cdef int32_t words_room
    cdef uint64_t* present  # table words of the line sought in, as bits
    cdef uint64_t* set_bits  # places of a synonym set, 64 at a time

    # All matches as they were found, then by start.
    cdef Match* found
    cdef Match* matches
    cdef int32_t found_count, found_room, matches_room
    cdef int32_t* list_start
    cdef int32_t* fixed
    cdef int32_t* cover_1
    cdef int32_t* cover_2

    # The beam: paths by rank, those of the next word, and the used words of both.
    cdef Path* paths
    cdef Path* following
    cdef uint64_t* used
    cdef uint64_t* used_following
    cdef Candidate* candidates
    cdef int32_t path_count, candidate_count, bits
    cdef int matched_shift, chunk_shift
    cdef int64_t one_chunk
    cdef Chosen* chosen
    cdef int32_t chosen_count
    cdef int32_t* alignment
    cdef int32_t alignment_length

    # The matches of all pairs of one call, `MATCH_NUMBERS` each.
    cdef int32_t* kept
    cdef size_t kept_count, kept_room

    def __cinit__(self, arrays, int synsets):
        self.sets = arrays.sets
        self.root = arrays.root
        self.node_word = arrays.node_word
        self.child_start = arrays.child_start
        self.entry_start = arrays.entry_start
        self.entry_stop = arrays.entry_stop
        self.entry_first = arrays.entry_first
        self.entry_second = arrays.entry_second
        self.rest = arrays.rest
        self.rest_start = arrays.rest_start
        cdef size_t vocabulary = len(arrays.root)
        self.first_phrase = <int32_t*>malloc(max(1, vocabulary) * sizeof(int32_t))
        self.present = <uint64_t*>calloc(vocabulary // 64 + 1, sizeof(uint64_t))
        self.set_bits = <uint64_t*>calloc(synsets + 1, sizeof(uint64_t))
        if not self.first_phrase or not self.present or not self.set_bits:
            raise MemoryError
        memset(self.first_phrase, 0xFF, vocabulary * sizeof(int32_t))

    def __dealloc__(self):
        free(self.first_phrase)
        free(self.present)
        free(self.set_bits)
        free(self.first_key)
        free(self.first_stem)
        free(self.found)
        free(self.matches)
        free(self.kept)
        self._free_lines()

    cdef void _free_lines(self) noexcept nogil:
        free(self.hypothesis.paraphrase)
        free(self.reference.paraphrase)
        free(self.next_key)
        free(self.next_stem)
        free(self.next_phrase)
        free(self.list_start)
        free(self.fixed)
        free(self.cover_1)
        free(self.cover_2)
        free(self.paths)
        free(self.following)
        free(self.used)
        free(self.used_following)
        free(self.candidates)
        free(self.chosen)
        free(self.alignment)

    def align(
        self,
        const int32_t[:, ::1] table,
        const int32_t[::1] hypothesis,
        const int32_t[::1] reference,
        stages,
        int beam,
        bint characters,
    ):
        """The matches (start, length, match_start, match_length, stage) and counts of one pair."""
        cdef int32_t counts[COUNTS]
        cdef int outcome
        cdef int32_t i
        cdef Match* match
        self._set_up(table, stages, beam, characters)
        with nogil:
            outcome = self._align(
                &hypothesis[0] if hypothesis.shape[0] else NULL,
                <int32_t>hypothesis.shape[0],
                &reference[0] if reference.shape[0] else NULL,
                <int32_t>reference.shape[0],
                counts,
            )
        _raise_for(outcome)
        found = []
        for i in range(self.alignment_length):
            match = &self.matches[self.alignment[i]]
            found.append((match.start, match.length, match.place, match.size, match.stage))
        return found, [counts[i] for i in range(COUNTS)]

    def align_many(
        self,
        const int32_t[:, ::1] table,
        const int32_t[::1] words,
        const int64_t[::1] starts,
        const int32_t[::1] hypotheses,
        const int32_t[::1] references,
        stages,
        int beam,
        bint characters,
    ):
        """The counts (n, 23) of n pairs, all matches (m, 5), and how many each pair has (n,).

        Sentence i is `words[starts[i]:starts[i + 1]]`.
        """
        cdef Py_ssize_t n = hypotheses.shape[0]
        rows = np.zeros((n, COUNTS), np.int32)
        lengths = np.zeros(n, np.int32)
        cdef int32_t[:, ::1] out = rows
        cdef int32_t[::1] lengths_out = lengths
        cdef const int32_t* first = &words[0] if words.shape[0] else NULL
        cdef Py_ssize_t i
        cdef int64_t one, other
        cdef int outcome = 0
        self._set_up(table, stages, beam, characters)
        self.kept_count = 0
        with nogil:
            for i in range(n):
                one, other = hypotheses[i], references[i]
                outcome = self._align(
                    first + starts[one],
                    <int32_t>(starts[one + 1] - starts[one]),
                    first + starts[other],
                    <int32_t>(starts[other + 1] - starts[other]),
                    &out[i, 0],
                )
                if outcome == 0:
                    outcome = self._keep_alignment()
                if outcome < 0:
                    break
                lengths_out[i] = self.alignment_length
        _raise_for(outcome)
        return rows, self._kept_matches(), lengths

    cdef int _keep_alignment(self) noexcept nogil:
        cdef size_t needed = self.kept_count + self.alignment_length
        cdef int32_t* room
        cdef int32_t* kept
        cdef int32_t i
        cdef const Match* match
        if needed > self.kept_room:
            room = <int32_t*>realloc(self.kept, 2 * needed * MATCH_NUMBERS * sizeof(int32_t))
            if not room:
                return NO_MEMORY
            self.kept = room
            self.kept_room = 2 * needed
        for i in range(self.alignment_length):
            match = &self.matches[self.alignment[i]]
            kept = &self.kept[(self.kept_count + i) * MATCH_NUMBERS]
            kept[0], kept[1], kept[2] = match.start, match.length, match.place
            kept[3], kept[4] = match.size, match.stage
        self.kept_count = needed
        return 0

    cdef _kept_matches(self):
        matches = np.empty((self.kept_count, MATCH_NUMBERS), np.int32)
        cdef int32_t[:, ::1] out = matches
        if self.kept_count:
            memcpy(&out[0, 0], self.kept, self.kept_count * MATCH_NUMBERS * sizeof(int32_t))
        return matches

    cdef _set_up(self, const int32_t[:, ::1] table, stages, int beam, bint characters):
        cdef int32_t words = <int32_t>table.shape[0]
        self.table = &table[0, 0] if words else NULL
        _, self.stem_stage, self.synonym_stage, self.paraphrase_stage = stages
        self.characters = characters
        if beam != self.beam:
            self.beam = beam
            self.room = 0
        if words > self.words_room:
            free(self.first_key)
            free(self.first_stem)
            self.words_room = 0
            self.first_key = <int32_t*>malloc(words * sizeof(int32_t))
            self.first_stem = <int32_t*>malloc(words * sizeof(int32_t))
            if not self.first_key or not self.first_stem:
                raise MemoryError
            memset(self.first_key, 0xFF, words * sizeof(int32_t))
            memset(self.first_stem, 0xFF, words * sizeof(int32_t))
            self.words_room = words

    cdef int _make_room(self, int32_t length) noexcept nogil:
        """Room for lines of that length; the banks of the beam grow with it.

        A kernel without any room gets some for lines without words too.
        """
        cdef size_t n = max(64, length + length // 4)
        cdef size_t bits = (n + 63) // 64
        if self.room and length <= self.room:
            return 0
        self._free_lines()
        self.hypothesis.paraphrase = <int32_t*>malloc(n * sizeof(int32_t))
        self.reference.paraphrase = <int32_t*>malloc(n * sizeof(int32_t))
        self.next_key = <int32_t*>malloc(n * sizeof(int32_t))
        self.next_stem = <int32_t*>malloc(n * sizeof(int32_t))
        self.next_phrase = <int32_t*>malloc(n * sizeof(int32_t))
        self.list_start = <int32_t*>malloc((n + 2) * sizeof(int32_t))
        self.fixed = <int32_t*>malloc(n * sizeof(int32_t))
        self.cover_1 = <int32_t*>malloc(n * sizeof(int32_t))
        self.cover_2 = <int32_t*>malloc(n * sizeof(int32_t))
        self.paths = <Path*>malloc(self.beam * sizeof(Path))
        self.following = <Path*>malloc(self.beam * sizeof(Path))
        self.used = <uint64_t*>malloc(self.beam * bits * sizeof(uint64_t))
        self.used_following = <uint64_t*>malloc(self.beam * bits * sizeof(uint64_t))
        self.candidates = <Candidate*>malloc(self.beam * sizeof(Candidate))
        self.chosen = <Chosen*>malloc(self.beam * n * sizeof(Chosen))
        self.alignment = <int32_t*>malloc(n * sizeof(int32_t))
        self.room = 0
        if (
            not self.hypothesis.paraphrase or not self.reference.paraphrase
            or not self.next_key or not self.next_stem or not self.next_phrase
            or not self.list_start or not self.fixed or not self.cover_1 or not self.cover_2
            or not self.paths or not self.following or not self.used or not self.used_following
            or not self.candidates or not self.chosen or not self.alignment
        ):
            return -1
        self.room = <int32_t>n
        return 0

    # One pair

    cdef int _align(
        self,
        const int32_t* hypothesis,
        int32_t hypothesis_length,
        const int32_t* reference,
        int32_t reference_length,
        int32_t* counts,
    ) noexcept nogil:
        if self._make_room(max(hypothesis_length, reference_length)) < 0:
            return NO_MEMORY
        self.hypothesis.words, self.hypothesis.length = hypothesis, hypothesis_length
        self.reference.words, self.reference.length = reference, reference_length
        if self._find_matches() < 0 or self._sort_matches() < 0:
            return NO_MEMORY
        if not self._lay_out_ranks():
            return TOO_LONG
        self._search()
        self._count(counts)
        return 0

    cdef inline int32_t _fact(self, const Line* line, int32_t place, Column column) noexcept nogil:
        return self.table[<size_t>line.words[place] * COLUMNS + column]

    # Matchers

    cdef inline int _add(
        self, int32_t start, int32_t length, int32_t place, int32_t size, int32_t stage
    ) noexcept nogil:
        cdef Match* match
        cdef int32_t i
        cdef size_t room
        if self.found_count == self.found_room:
            room = 1024 if self.found_room == 0 else 2 * <size_t>self.found_room
            match = <Match*>realloc(self.found, room * sizeof(Match))
            if not match:
                return -1
            self.found = match
            self.found_room = <int32_t>room
        match = &self.found[self.found_count]
        self.found_count += 1
        match.start, match.length, match.place, match.size = start, length, place, size
        match.stage = stage
        match.gain = length + size if stage == EXACT else length // 2 + size // 2
        for i in range(start, start + length):
            self.cover_2[i] += 1
        for i in range(place, place + size):
            self.cover_1[i] += 1
        return 0

    cdef int _find_matches(self) noexcept nogil:
        cdef int outcome
        self.found_count = 0
        memset(self.cover_1, 0, self.hypothesis.length * sizeof(int32_t))
        memset(self.cover_2, 0, self.reference.length * sizeof(int32_t))
        self._note_places()
        outcome = self._add_words()
        self._forget_places()
        if outcome == 0 and not self._same_words():
            if self.synonym_stage >= 0:
                outcome = self._add_synonyms()
            if outcome == 0 and self.paraphrase_stage >= 0:
                outcome = self._add_paraphrases()
        return outcome

    cdef bint _same_words(self) noexcept nogil:
        cdef int32_t i
        if self.hypothesis.length != self.reference.length:
            return False
        for i in range(self.hypothesis.length):
            if self._fact(&self.hypothesis, i, KEY) != self._fact(&self.reference, i, KEY):
                return False
        return True

    cdef void _note_places(self) noexcept nogil:
        cdef int32_t i, number
        for i in range(self.hypothesis.length - 1, -1, -1):
            number = self._fact(&self.hypothesis, i, KEY)
            self.next_key[i] = self.first_key[number]
            self.first_key[number] = i
            number = self._fact(&self.hypothesis, i, STEM)
            self.next_stem[i] = self.first_stem[number]
            self.first_stem[number] = i

    cdef void _forget_places(self) noexcept nogil:
        cdef int32_t i
        for i in range(self.hypothesis.length):
            self.first_key[self._fact(&self.hypothesis, i, KEY)] = -1
            self.first_stem[self._fact(&self.hypothesis, i, STEM)] = -1

    cdef int _add_words(self) noexcept nogil:
        """Exact matches, then those of stems."""
        cdef int32_t start, place, key
        for start in range(self.reference.length):
            place = self.first_key[self._fact(&self.reference, start, KEY)]
            while place >= 0:
                if self._add(start, 1, place, 1, EXACT) < 0:
                    return -1
                place = self.next_key[place]
        if self.stem_stage < 0 or self._same_words():
            return 0
        for start in range(self.reference.length):
            key = self._fact(&self.reference, start, KEY)
            place = self.first_stem[self._fact(&self.reference, start, STEM)]
            while place >= 0:
                if self._fact(&self.hypothesis, place, KEY) != key:
                    if self._add(start, 1, place, 1, self.stem_stage) < 0:
                        return -1
                place = self.next_stem[place]
        return 0

    cdef int _add_synonyms(self) noexcept nogil:
        """64 words of the hypothesis at a time; in each list of matches their order stays."""
        cdef int32_t begin, end
        cdef int outcome = 0
        for begin in range(0, self.hypothesis.length, 64):
            end = min(begin + 64, self.hypothesis.length)
            self._mark_sets(begin, end, True)
            outcome = self._add_synonyms_of(begin)
            self._mark_sets(begin, end, False)
            if outcome < 0:
                break
        return outcome

    cdef void _mark_sets(self, int32_t begin, int32_t end, bint mark) noexcept nogil:
        cdef int32_t i, k
        for i in range(begin, end):
            for k in range(
                self._fact(&self.hypothesis, i, SETS_START),
                self._fact(&self.hypothesis, i, SETS_STOP),
            ):
                if mark:
                    self.set_bits[self.sets[k]] |= (<uint64_t>1) << (i - begin)
                else:
                    self.set_bits[self.sets[k]] = 0

    cdef int _add_synonyms_of(self, int32_t begin) noexcept nogil:
        cdef int32_t start, k, place, key
        cdef uint64_t bits
        for start in range(self.reference.length):
            bits = 0
            for k in range(
                self._fact(&self.reference, start, SETS_START),
                self._fact(&self.reference, start, SETS_STOP),
            ):
                bits |= self.set_bits[self.sets[k]]
            if not bits:
                continue
            key = self._fact(&self.reference, start, KEY)
            place = begin
            while bits:
                if bits & 1 and self._fact(&self.hypothesis, place, KEY) != key:
                    if self._add(start, 1, place, 1, self.synonym_stage) < 0:
                        return -1
                bits >>= 1
                place += 1
        return 0

    cdef int _add_paraphrases(self) noexcept nogil:
        cdef int32_t i
        for i in range(self.hypothesis.length):
            self.hypothesis.paraphrase[i] = self._fact(&self.hypothesis, i, PARAPHRASE)
        for i in range(self.reference.length):
            self.reference.paraphrase[i] = self._fact(&self.reference, i, PARAPHRASE)
        if self._scan(&self.reference, &self.hypothesis, False) < 0:
            return -1
        return self._scan(&self.hypothesis, &self.reference, True)

    cdef int _scan(self, const Line* walked, const Line* sought, bint swapped) noexcept nogil:
        """Phrases of the walked line whose paraphrases stand in the line sought in."""
        cdef int32_t i, word, start, end, node
        cdef int outcome = 0
        for i in range(sought.length - 1, -1, -1):
            word = sought.paraphrase[i]
            if word >= 0:
                self.next_phrase[i] = self.first_phrase[word]
                self.first_phrase[word] = i
                self.present[word >> 6] |= (<uint64_t>1) << (word & 63)
        for start in range(walked.length):
            word = walked.paraphrase[start]
            node = self.root[word] if word >= 0 else -1
            end = start + 1
            while node >= 0 and outcome == 0:
                outcome = self._add_entries(node, start, end - start, sought, swapped)
                if end == walked.length:
                    break
                node = self._child(node, walked.paraphrase[end])
                end += 1
        for i in range(sought.length):
            word = sought.paraphrase[i]
            if word >= 0:
                self.first_phrase[word] = -1
                self.present[word >> 6] = 0
        return outcome

    cdef inline int32_t _child(self, int32_t node, int32_t word) noexcept nogil:
        cdef int32_t low = self.child_start[node], end = self.child_start[node + 1]
        cdef int32_t high = end, middle
        while low < high:
            middle = (low + high) >> 1
            if <int32_t>self.node_word[middle] < word:
                low = middle + 1
            else:
                high = middle
        return low if low < end and <int32_t>self.node_word[low] == word else -1

    cdef int _add_entries(
        self, int32_t node, int32_t start, int32_t length, const Line* sought, bint swapped
    ) noexcept nogil:
        cdef int32_t entry, place, size
        cdef uint32_t first
        cdef int outcome
        for entry in range(self.entry_start[node], self.entry_stop[node]):
            first = self.entry_first[entry]
            if not (self.present[first >> 6] >> (first & 63)) & 1:
                continue
            place = self.first_phrase[first]
            while place >= 0:
                size = self._size_at(entry, sought, place)
                if size:
                    if swapped:
                        outcome = self._add(place, size, start, length, self.paraphrase_stage)
                    else:
                        outcome = self._add(start, length, place, size, self.paraphrase_stage)
                    if outcome < 0:
                        return -1
                place = self.next_phrase[place]
        return 0

    cdef inline int32_t _size_at(
        self, int32_t entry, const Line* sought, int32_t place
    ) noexcept nogil:
        """The number of words of a paraphrase if it stands at that place, else 0."""
        cdef int32_t second = self.entry_second[entry], size, k
        if second == NO_SECOND:
            return 1
        if place + 1 >= sought.length or sought.paraphrase[place + 1] != second:
            return 0
        size = 2
        for k in range(self.rest_start[entry], self.rest_start[entry + 1]):
            if place + size >= sought.length:
                return 0
            if sought.paraphrase[place + size] != <int32_t>self.rest[k]:
                return 0
            size += 1
        return size

    # The lists of matches by start, and the fixed ones

    cdef int _sort_matches(self) noexcept nogil:
        cdef int32_t n = self.reference.length, i, k
        cdef Match* room
        if self.found_count > self.matches_room:
            room = <Match*>realloc(self.matches, self.found_room * sizeof(Match))
            if not room:
                return -1
            self.matches = room
            self.matches_room = self.found_room
        memset(self.list_start, 0, (n + 2) * sizeof(int32_t))
        for i in range(self.found_count):
            self.list_start[self.found[i].start + 2] += 1
        for i in range(2, n + 2):
            self.list_start[i] += self.list_start[i - 1]
        for i in range(self.found_count):
            k = self.found[i].start + 1
            self.matches[self.list_start[k]] = self.found[i]
            self.list_start[k] += 1
        for i in range(n):
            self.fixed[i] = -1
            if self.list_start[i + 1] - self.list_start[i] == 1:
                if self._is_alone(&self.matches[self.list_start[i]]):
                    self.fixed[i] = self.list_start[i]
        return 0

    cdef bint _is_alone(self, const Match* match) noexcept nogil:
        cdef int32_t i
        for i in range(match.start, match.start + match.length):
            if self.cover_2[i] != 1:
                return False
        for i in range(match.place, match.place + match.size):
            if self.cover_1[i] != 1:
                return False
        return True

    # The beam

    cdef bint _lay_out_ranks(self) noexcept nogil:
        """Give matched words, chunks and distance the bits that they can need in this pair."""
        cdef int64_t distance = 0
        cdef int32_t i
        for i in range(self.found_count):
            distance += distance_of(&self.found[i])
        self.chunk_shift = bits_for(distance)
        self.matched_shift = self.chunk_shift + bits_for(self.reference.length + 1)
        self.one_chunk = (<int64_t>1) << self.chunk_shift
        return (
            self.matched_shift + bits_for(self.hypothesis.length + self.reference.length)
            <= RANK_BITS
        )

    cdef void _search(self) noexcept nogil:
        cdef int32_t position
        self.bits = (self.hypothesis.length + 63) // 64
        self.path_count = 1
        self.chosen_count = 0
        memset(&self.paths[0], 0, sizeof(Path))
        self.paths[0].chunk_end = CLOSED
        self.paths[0].chosen = -1
        memset(self.used, 0, self.bits * sizeof(uint64_t))
        for position in range(self.reference.length):
            if self.fixed[position] >= 0:
                self._take_fixed(position)
            elif self.list_start[position] == self.list_start[position + 1]:
                self._skip(position)
            else:
                self._branch_all(position)
        self._trace_back()

    cdef inline int64_t _rank_with(self, const Path* path, const Match* match) noexcept nogil:
        """The rank of a path after a match, its distance left out."""
        cdef int64_t rank = path.rank - ((<int64_t>match.gain) << self.matched_shift)
        if path.chunk_end != CLOSED and path.chunk_end != match.place:
            rank += self.one_chunk
        return rank

    cdef inline void _take(self, Path* path, int32_t match) noexcept nogil:
        self.chosen[self.chosen_count].match = match
        self.chosen[self.chosen_count].before = path.chosen
        path.chosen = self.chosen_count
        path.position = self.matches[match].start + self.matches[match].length
        path.chunk_end = self.matches[match].place + self.matches[match].size
        self.chosen_count += 1

    cdef void _take_fixed(self, int32_t position) noexcept nogil:
        """A fixed match goes to every path: no other match covers its words."""
        cdef const Match* match = &self.matches[self.fixed[position]]
        cdef int32_t i
        cdef Path* path
        for i in range(self.path_count):
            path = &self.paths[i]
            path.rank = self._rank_with(path, match) + distance_of(match)
            self._take(path, self.fixed[position])
        self._sort_again()

    cdef void _skip(self, int32_t position) noexcept nogil:
        cdef int32_t i
        cdef Path* path
        for i in range(self.path_count):
            path = &self.paths[i]
            if path.position == position:
                if path.chunk_end != CLOSED:
                    path.rank += self.one_chunk
                    path.chunk_end = CLOSED
                path.position += 1
        self._sort_again()

    cdef void _sort_again(self) noexcept nogil:
        """Stable, and quick because the order has hardly changed."""
        cdef int32_t i, k
        cdef Path path
        for i in range(1, self.path_count):
            if self.paths[i].rank >= self.paths[i - 1].rank:
                continue
            path = self.paths[i]
            k = i
            while k > 0 and path.rank < self.paths[k - 1].rank:
                self.paths[k] = self.paths[k - 1]
                k -= 1
            self.paths[k] = path

    cdef void _branch_all(self, int32_t position) noexcept nogil:
        cdef int32_t i
        self.candidate_count = 0
        for i in range(self.path_count):
            if self.paths[i].position > position:
                self._keep(self.paths[i].rank, i, UNCHANGED)
            else:
                self._branch(i, position)
        for i in range(self.candidate_count):
            self._follow(&self.candidates[i], i)
        self.paths, self.following = self.following, self.paths
        self.used, self.used_following = self.used_following, self.used
        self.path_count = self.candidate_count

    cdef void _branch(self, int32_t parent, int32_t position) noexcept nogil:
        """Each free match gives a child; the distance of a match goes to the path itself."""
        cdef Path* path = &self.paths[parent]
        cdef const Match* match
        cdef int32_t k
        for k in range(self.list_start[position], self.list_start[position + 1]):
            match = &self.matches[k]
            if not self._is_used(path.used, match):
                self._keep(self._rank_with(path, match), parent, k)
                path.rank += distance_of(match)
        if path.chunk_end != CLOSED:
            path.rank += self.one_chunk
        self._keep(path.rank, parent, SKIPPED)

    cdef inline bint _is_used(self, int32_t row, const Match* match) noexcept nogil:
        cdef const uint64_t* used = &self.used[<size_t>row * self.bits]
        cdef int32_t i
        for i in range(match.place, match.place + match.size):
            if (used[i >> 6] >> (i & 63)) & 1:
                return True
        return False

    cdef inline void _keep(self, int64_t rank, int32_t parent, int32_t match) noexcept nogil:
        """Insert a candidate behind its equals, if it is among the best so far."""
        cdef Candidate* candidates = self.candidates
        cdef int32_t k = self.candidate_count
        if k == self.beam:
            k -= 1
            if rank >= candidates[k].rank:
                return
        else:
            self.candidate_count += 1
        while k > 0 and rank < candidates[k - 1].rank:
            candidates[k] = candidates[k - 1]
            k -= 1
        candidates[k].rank = rank
        candidates[k].parent = parent
        candidates[k].match = match

    cdef void _follow(self, const Candidate* candidate, int32_t row) noexcept nogil:
        """Make the path of a candidate that was kept."""
        cdef Path* path = &self.following[row]
        cdef uint64_t* used = &self.used_following[<size_t>row * self.bits]
        cdef const Match* match
        cdef int32_t i
        path[0] = self.paths[candidate.parent]
        for i in range(self.bits):
            used[i] = self.used[<size_t>path.used * self.bits + i]
        path.rank = candidate.rank
        path.used = row
        if candidate.match >= 0:
            match = &self.matches[candidate.match]
            for i in range(match.place, match.place + match.size):
                used[i >> 6] |= (<uint64_t>1) << (i & 63)
            self._take(path, candidate.match)
        elif candidate.match == SKIPPED:
            path.chunk_end = CLOSED
            path.position += 1

    cdef void _trace_back(self) noexcept nogil:
        """The matches of the best path, its open chunk closed, in the reference's order."""
        cdef int32_t i, chosen, best = 0, length = 0
        for i in range(self.path_count):
            if self.paths[i].chunk_end != CLOSED:
                self.paths[i].rank += self.one_chunk
            if self.paths[i].rank < self.paths[best].rank:
                best = i
        chosen = self.paths[best].chosen
        while chosen >= 0:
            length += 1
            chosen = self.chosen[chosen].before
        self.alignment_length = length
        chosen = self.paths[best].chosen
        while chosen >= 0:
            length -= 1
            self.alignment[length] = self.chosen[chosen].match
            chosen = self.chosen[chosen].before

    # The counts

    cdef void _count(self, int32_t* counts) noexcept nogil:
        cdef int32_t i, k, end = -1, match_end = -1
        cdef const Match* match
        memset(counts, 0, COUNTS * sizeof(int32_t))
        self._count_words(&self.hypothesis, counts)
        self._count_words(&self.reference, counts + 1)
        for i in range(self.alignment_length):
            match = &self.matches[self.alignment[i]]
            for k in range(match.place, match.place + match.size):
                counts[
                    4 + 4 * match.stage + 2 * self._fact(&self.hypothesis, k, FUNCTION)
                ] += self._weight(&self.hypothesis, k)
            for k in range(match.start, match.start + match.length):
                counts[
                    5 + 4 * match.stage + 2 * self._fact(&self.reference, k, FUNCTION)
                ] += self._weight(&self.reference, k)
            if match.start != end or match.place != match_end:
                counts[CHUNKS] += 1
            counts[CHUNKS + 1] += match.size
            counts[CHUNKS + 2] += match.length
            end = match.start + match.length
            match_end = match.place + match.size

    cdef void _count_words(self, const Line* line, int32_t* counts) noexcept nogil:
        """All words at 0, function words at 2."""
        cdef int32_t i, weight
        for i in range(line.length):
            weight = self._weight(line, i)
            counts[0] += weight
            if self._fact(line, i, FUNCTION):
                counts[2] += weight

    cdef inline int32_t _weight(self, const Line* line, int32_t place) noexcept nogil:
        return self._fact(line, place, SIZE) if self.characters else 1
