# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""The compiled aligner: the same matches, search and counts as `matching`, `beam` and `counts`.

Those three modules are the text to read; names here are theirs. A `Kernel` belongs to one thread
at a time and lets other threads run while it works. All of it is whole numbers, so no compiler's
floating point can change a score.
"""

from libc.stdint cimport INT64_MAX, int32_t, int64_t, uint16_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc, realloc
from libc.string cimport memcpy, memset

include "_word.pxi"

import numpy as np

cdef extern from *:
    """
    #if defined(__GNUC__) || defined(__clang__)
    #define FETCH_AHEAD(address) __builtin_prefetch(address)
    #else
    #define FETCH_AHEAD(address) ((void)(address))
    #endif
    """
    void FETCH_AHEAD(const void* address) noexcept nogil

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
    STEPS = 4096  # a power of two

cdef struct Step:
    # From the children `low` and further of a phrase's node by a word: the entries and the
    # children of the longer phrase's node, all 0 where there is none.
    int32_t low
    int32_t word
    int32_t entry_start
    int32_t entry_stop
    int32_t child_start
    int32_t child_stop

cdef struct Match:
    int32_t start
    int32_t length
    int32_t place
    int32_t size
    int32_t stage
    int32_t gain
    uint64_t places  # those among the first 64 words of the hypothesis, as bits

cdef struct Path:
    int64_t rank  # minus the words matched, chunks, distance: one number, from high to low
    int32_t position  # the end of its last match in the reference
    int32_t chunk_end
    int32_t chosen
    int32_t row  # of the used words beyond the first 64
    uint64_t used  # the first 64 words of the hypothesis, as bits

cdef struct Candidate:
    int64_t rank
    int32_t parent
    int32_t match  # or one of the two below

cdef struct Candidates:
    # By rank; of equals, by parent, and those of one parent as they came.
    Candidate* items  # with room for one more, the end mark of `merge`
    int32_t count

cdef struct Chosen:
    int32_t match
    int32_t before

cdef struct Line:
    const Word** words
    int32_t* paraphrase  # the words' numbers in the paraphrase table, side by side
    int32_t length


cdef inline int32_t distance_of(const Match* match) noexcept nogil:
    return match.start - match.place if match.start > match.place else match.place - match.start


cdef inline int bits_for(int64_t value) noexcept nogil:
    cdef int bits = 0
    while value:
        bits += 1
        value >>= 1
    return bits


cdef const uint16_t* uint16_pointer(const uint16_t[::1] array):
    return &array[0] if array.shape[0] else NULL


cdef inline uint64_t bits_between(int32_t start, int32_t stop) noexcept nogil:
    """The bits from `start` to before `stop` of 64."""
    cdef uint64_t below_stop = (<uint64_t>-1) if stop >= 64 else ((<uint64_t>1) << stop) - 1
    return 0 if start >= 64 else below_stop >> start << start


cdef inline void push(
    Candidates* candidates, int64_t rank, int32_t parent, int32_t match
) noexcept nogil:
    """Add a candidate of a later parent than all before; mostly its place is the last."""
    cdef Candidate* items = candidates.items
    cdef int32_t k = candidates.count
    candidates.count += 1
    while k > 0 and rank < items[k - 1].rank:
        items[k] = items[k - 1]
        k -= 1
    items[k].rank = rank
    items[k].parent = parent
    items[k].match = match


cdef inline bint precedes(const Candidate* one, const Candidate* other) noexcept nogil:
    return (one.rank < other.rank) | (
        (one.rank == other.rank) & (one.parent < other.parent)
    )


cdef void merge(
    Candidates* one, Candidates* two, Candidates* merged, int32_t room
) noexcept nogil:
    """Put the best of both into `merged`, those of `one` before their equals in `two`."""
    cdef int32_t i = 0, j = 0, k
    cdef bint is_second
    one.items[one.count].rank = two.items[two.count].rank = INT64_MAX
    merged.count = min(one.count + two.count, room)
    for k in range(merged.count):
        is_second = precedes(&two.items[j], &one.items[i])
        merged.items[k] = (&two.items[j] if is_second else &one.items[i])[0]
        j += is_second
        i += not is_second


cdef _raise_for(int outcome):
    if outcome == NO_MEMORY:
        raise MemoryError
    if outcome == TOO_LONG:
        raise OverflowError("The lines are too long for the compiled aligner.")


cdef class Kernel:
    """Aligns pairs of sentences given as word numbers, over the arrays of one index."""

    cdef object arrays  # owns what the pointers lead to
    cdef const int32_t* sets
    cdef const uint16_t* node_word
    cdef const int32_t* child_start
    cdef const int32_t* entry_start
    cdef const int32_t* entry_stop
    cdef const uint16_t* entry_first
    cdef const uint16_t* entry_second
    cdef const uint16_t* rest
    cdef const int32_t* rest_start

    # The settings of the call, and the facts of words.
    cdef const Word* table
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
    cdef Step* steps  # the latest steps in the trie of phrases, by a hash of what they go by
    cdef uint64_t* present  # table words of the line sought in, as bits
    cdef uint64_t* sets_present  # synonym sets of the words of the hypothesis, as bits
    cdef uint64_t* set_places  # places of a set that is present, 64 at a time

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
    cdef uint64_t* used  # beyond the first 64 words, a row for each path
    cdef uint64_t* used_following
    cdef Candidates best, merged, joined, apart
    cdef int32_t path_count, further
    cdef int matched_shift, chunk_shift
    cdef int64_t one_chunk
    cdef bint is_shared  # all paths end at the two places that follow, not at their own
    cdef int32_t shared_position, shared_end
    cdef Chosen* chosen
    cdef int32_t chosen_count
    cdef int32_t* alignment
    cdef int32_t alignment_length

    # The matches of all pairs of one call, `MATCH_NUMBERS` each.
    cdef int32_t* kept
    cdef size_t kept_count, kept_room

    def __cinit__(self, arrays, int synsets):
        self.arrays = arrays
        self.sets = int32_pointer(arrays.sets)
        self.node_word = uint16_pointer(arrays.node_word)
        self.child_start = int32_pointer(arrays.child_start)
        self.entry_start = int32_pointer(arrays.entry_start)
        self.entry_stop = int32_pointer(arrays.entry_stop)
        self.entry_first = uint16_pointer(arrays.entry_first)
        self.entry_second = uint16_pointer(arrays.entry_second)
        self.rest = uint16_pointer(arrays.rest)
        self.rest_start = int32_pointer(arrays.rest_start)
        cdef size_t vocabulary = len(arrays.root)
        self.first_phrase = <int32_t*>malloc(max(1, vocabulary) * sizeof(int32_t))
        self.present = <uint64_t*>calloc(vocabulary // 64 + 1, sizeof(uint64_t))
        self.steps = <Step*>calloc(STEPS, sizeof(Step))
        self.sets_present = <uint64_t*>calloc(synsets // 64 + 1, sizeof(uint64_t))
        self.set_places = <uint64_t*>malloc((synsets + 1) * sizeof(uint64_t))
        if (
            not self.first_phrase or not self.present or not self.steps
            or not self.sets_present or not self.set_places
        ):
            raise MemoryError
        memset(self.first_phrase, 0xFF, vocabulary * sizeof(int32_t))

    def __dealloc__(self):
        free(self.first_phrase)
        free(self.present)
        free(self.steps)
        free(self.sets_present)
        free(self.set_places)
        free(self.first_key)
        free(self.first_stem)
        free(self.found)
        free(self.matches)
        free(self.kept)
        self._free_lines()

    cdef void _free_lines(self) noexcept nogil:
        free(self.hypothesis.words)
        free(self.reference.words)
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
        free(self.best.items)
        free(self.merged.items)
        free(self.joined.items)
        free(self.apart.items)
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
                if i + 1 < n:
                    one, other = hypotheses[i + 1], references[i + 1]
                    self._fetch_ahead(first + starts[one], starts[one + 1] - starts[one])
                    self._fetch_ahead(first + starts[other], starts[other + 1] - starts[other])
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
        if table.shape[1] * sizeof(int32_t) != sizeof(Word):
            raise ValueError(f"The table of words has {table.shape[1]} columns.")
        self.table = <const Word*>&table[0, 0] if words else NULL
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
        self.hypothesis.words = <const Word**>malloc(n * sizeof(Word*))
        self.reference.words = <const Word**>malloc(n * sizeof(Word*))
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
        self.best.items = <Candidate*>malloc((self.beam + 1) * sizeof(Candidate))
        self.merged.items = <Candidate*>malloc((self.beam + 1) * sizeof(Candidate))
        self.joined.items = <Candidate*>malloc((self.beam + 1) * sizeof(Candidate))
        self.apart.items = <Candidate*>malloc((self.beam + 1) * sizeof(Candidate))
        self.chosen = <Chosen*>malloc(self.beam * n * sizeof(Chosen))
        self.alignment = <int32_t*>malloc(n * sizeof(int32_t))
        self.room = 0
        if (
            not self.hypothesis.words or not self.reference.words
            or not self.hypothesis.paraphrase or not self.reference.paraphrase
            or not self.next_key or not self.next_stem or not self.next_phrase
            or not self.list_start or not self.fixed or not self.cover_1 or not self.cover_2
            or not self.paths or not self.following or not self.used or not self.used_following
            or not self.best.items or not self.merged.items
            or not self.joined.items or not self.apart.items
            or not self.chosen or not self.alignment
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
        self._set_line(&self.hypothesis, hypothesis, hypothesis_length)
        self._set_line(&self.reference, reference, reference_length)
        if self._find_matches() < 0 or self._sort_matches() < 0:
            return NO_MEMORY
        if not self._lay_out_ranks():
            return TOO_LONG
        self._search()
        self._count(counts)
        return 0

    cdef void _set_line(self, Line* line, const int32_t* words, int32_t length) noexcept nogil:
        cdef int32_t i
        line.length = length
        for i in range(length):
            line.words[i] = &self.table[words[i]]
            line.paraphrase[i] = line.words[i].paraphrase

    cdef void _fetch_ahead(self, const int32_t* words, int64_t length) noexcept nogil:
        """Ask for the parts of the index that a line will need: they lie far apart."""
        cdef const Word* word
        cdef int64_t i
        for i in range(length):
            word = &self.table[words[i]]
            FETCH_AHEAD(&self.sets[word.sets_start])
            FETCH_AHEAD(&self.entry_first[word.entry_start])
            FETCH_AHEAD(&self.entry_second[word.entry_start])
            FETCH_AHEAD(&self.node_word[(word.child_start + word.child_stop) >> 1])

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
        match.places = bits_between(place, place + size)
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
            if self.hypothesis.words[i].key != self.reference.words[i].key:
                return False
        return True

    cdef void _note_places(self) noexcept nogil:
        cdef int32_t i, number
        for i in range(self.hypothesis.length - 1, -1, -1):
            number = self.hypothesis.words[i].key
            self.next_key[i] = self.first_key[number]
            self.first_key[number] = i
            number = self.hypothesis.words[i].stem
            self.next_stem[i] = self.first_stem[number]
            self.first_stem[number] = i

    cdef void _forget_places(self) noexcept nogil:
        cdef int32_t i
        for i in range(self.hypothesis.length):
            self.first_key[self.hypothesis.words[i].key] = -1
            self.first_stem[self.hypothesis.words[i].stem] = -1

    cdef int _add_words(self) noexcept nogil:
        """Exact matches, then those of stems."""
        cdef int32_t start, place, key
        for start in range(self.reference.length):
            place = self.first_key[self.reference.words[start].key]
            while place >= 0:
                if self._add(start, 1, place, 1, EXACT) < 0:
                    return -1
                place = self.next_key[place]
        if self.stem_stage < 0 or self._same_words():
            return 0
        for start in range(self.reference.length):
            key = self.reference.words[start].key
            place = self.first_stem[self.reference.words[start].stem]
            while place >= 0:
                if self.hypothesis.words[place].key != key:
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
        cdef int32_t i, k, number
        cdef uint64_t bit, place
        for i in range(begin, end):
            place = (<uint64_t>1) << (i - begin)
            for k in range(self.hypothesis.words[i].sets_start, self.hypothesis.words[i].sets_stop):
                number = self.sets[k]
                bit = (<uint64_t>1) << (number & 63)
                if not mark:
                    self.sets_present[number >> 6] = 0
                elif self.sets_present[number >> 6] & bit:
                    self.set_places[number] |= place
                else:
                    self.sets_present[number >> 6] |= bit
                    self.set_places[number] = place

    cdef int _add_synonyms_of(self, int32_t begin) noexcept nogil:
        cdef int32_t start, k, number, place
        cdef const Word* word
        cdef uint64_t places
        for start in range(self.reference.length):
            places = 0
            word = self.reference.words[start]
            for k in range(word.sets_start, word.sets_stop):
                number = self.sets[k]
                if (self.sets_present[number >> 6] >> (number & 63)) & 1:
                    places |= self.set_places[number]
            place = begin
            while places:
                if places & 1 and self.hypothesis.words[place].key != word.key:
                    if self._add(start, 1, place, 1, self.synonym_stage) < 0:
                        return -1
                places >>= 1
                place += 1
        return 0

    cdef int _add_paraphrases(self) noexcept nogil:
        if self._scan(&self.reference, &self.hypothesis, False) < 0:
            return -1
        return self._scan(&self.hypothesis, &self.reference, True)

    cdef int _scan(self, const Line* walked, const Line* sought, bint swapped) noexcept nogil:
        """Phrases of the walked line whose paraphrases are in the other line."""
        cdef int32_t start, outcome = 0
        self._note_phrase_words(sought)
        for start in range(walked.length):
            outcome = self._add_phrases_from(start, walked, sought, swapped)
            if outcome < 0:
                break
        self._forget_phrase_words(sought)
        return outcome

    cdef void _note_phrase_words(self, const Line* line) noexcept nogil:
        cdef int32_t i, word
        for i in range(line.length - 1, -1, -1):
            word = line.paraphrase[i]
            if word >= 0:
                self.next_phrase[i] = self.first_phrase[word]
                self.first_phrase[word] = i
                self.present[word >> 6] |= (<uint64_t>1) << (word & 63)

    cdef void _forget_phrase_words(self, const Line* line) noexcept nogil:
        cdef int32_t i, word
        for i in range(line.length):
            word = line.paraphrase[i]
            if word >= 0:
                self.first_phrase[word] = -1
                self.present[word >> 6] = 0

    cdef int _add_phrases_from(
        self, int32_t start, const Line* walked, const Line* sought, bint swapped
    ) noexcept nogil:
        """Walk the trie of phrases from one word; its own node is in the table of words."""
        cdef const Word* word = walked.words[start]
        cdef const Step* step
        cdef int32_t first = word.entry_start, stop = word.entry_stop
        cdef int32_t low = word.child_start, high = word.child_stop
        cdef int32_t end = start + 1
        while True:
            if self._add_entries(first, stop, start, end - start, sought, swapped) < 0:
                return -1
            if low == high or end == walked.length or walked.paraphrase[end] < 0:
                return 0
            step = self._step(low, high, walked.paraphrase[end])
            first, stop = step.entry_start, step.entry_stop
            low, high = step.child_start, step.child_stop
            end += 1

    cdef inline const Step* _step(self, int32_t low, int32_t high, int32_t word) noexcept nogil:
        """The step by a word to one of the nodes from `low` to before `high`."""
        cdef uint32_t digest = (<uint32_t>low * 0x9E3779B1U) ^ (<uint32_t>word * 0x85EBCA6BU)
        cdef Step* step = &self.steps[(digest ^ (digest >> 15)) & (STEPS - 1)]
        cdef int32_t node
        if step.low != low or step.word != word:
            node = self._child(low, high, word)
            step.low, step.word = low, word
            step.entry_start = self.entry_start[node] if node >= 0 else 0
            step.entry_stop = self.entry_stop[node] if node >= 0 else 0
            step.child_start = self.child_start[node] if node >= 0 else 0
            step.child_stop = self.child_start[node + 1] if node >= 0 else 0
        return step

    cdef inline int32_t _child(self, int32_t low, int32_t high, int32_t word) noexcept nogil:
        """The node of the word among the nodes from `low` to before `high`, or -1."""
        cdef int32_t count = high - low, half
        while count > 1:  # without a branch that the processor would have to guess
            half = count >> 1
            low += half * (<int32_t>self.node_word[low + half] <= word)
            count -= half
        return low if <int32_t>self.node_word[low] == word else -1

    cdef inline int _add_entries(
        self,
        int32_t begin,
        int32_t stop,
        int32_t start,
        int32_t length,
        const Line* sought,
        bint swapped,
    ) noexcept nogil:
        cdef const uint16_t* entry_first = self.entry_first
        cdef const uint64_t* present = self.present
        cdef int32_t entry
        cdef uint32_t first
        for entry in range(begin, stop):
            first = entry_first[entry]
            if (present[first >> 6] >> (first & 63)) & 1:
                if self._add_entry(entry, start, length, sought, swapped) < 0:
                    return -1
        return 0

    cdef int _add_entry(
        self, int32_t entry, int32_t start, int32_t length, const Line* sought, bint swapped
    ) noexcept nogil:
        cdef int32_t place = self.first_phrase[self.entry_first[entry]], size
        cdef int outcome = 0
        while place >= 0 and outcome == 0:
            size = self._size_at(entry, sought, place)
            if size and swapped:
                outcome = self._add(place, size, start, length, self.paraphrase_stage)
            elif size:
                outcome = self._add(start, length, place, size, self.paraphrase_stage)
            place = self.next_phrase[place]
        return outcome

    cdef inline int32_t _size_at(
        self, int32_t entry, const Line* sought, int32_t place
    ) noexcept nogil:
        """The number of words of a paraphrase if it is at that place, else 0."""
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
        """Find the best path.

        Only the order of the paths matters, so what adds the same to the ranks of all is left out.
        """
        cdef int32_t position
        self.further = max(0, (self.hypothesis.length - 1) // 64)
        self.path_count = 1
        self.chosen_count = 0
        memset(&self.paths[0], 0, sizeof(Path))
        self.paths[0].chosen = -1
        memset(self.used, 0, self.further * sizeof(uint64_t))
        self._share(0, CLOSED)
        for position in range(self.reference.length):
            if self.fixed[position] >= 0:
                self._take_fixed(&self.matches[self.fixed[position]])
            elif self.list_start[position] == self.list_start[position + 1]:
                self._skip(position)
            else:
                self._branch_all(position)
        self._trace_back()

    cdef inline void _share(self, int32_t position, int32_t chunk_end) noexcept nogil:
        self.is_shared = True
        self.shared_position = position
        self.shared_end = chunk_end

    cdef inline void _unshare(self) noexcept nogil:
        cdef int32_t i
        self.is_shared = False
        for i in range(self.path_count):
            self.paths[i].position = self.shared_position
            self.paths[i].chunk_end = self.shared_end

    cdef void _take_fixed(self, const Match* match) noexcept nogil:
        """A fixed match goes to every path: no other match covers its words."""
        if not self.is_shared:
            self._end_chunks(match.place)
        self._share(match.start + match.length, match.place + match.size)

    cdef void _skip(self, int32_t position) noexcept nogil:
        cdef int32_t i, covered = 0
        cdef Path* path
        if self.is_shared:
            if self.shared_position <= position:
                self.shared_end = CLOSED
            return
        for i in range(self.path_count):
            covered += self.paths[i].position > position
        if covered == 0:
            self._end_chunks(CLOSED)
            self._share(position, CLOSED)
            return
        for i in range(self.path_count):
            path = &self.paths[i]
            if path.position <= position and path.chunk_end != CLOSED:
                path.rank += self.one_chunk
                path.chunk_end = CLOSED
        self._sort_again()

    cdef void _end_chunks(self, int32_t place) noexcept nogil:
        """Count the open chunks, but those that go on at that place."""
        cdef int32_t i
        cdef Path* path
        for i in range(self.path_count):
            path = &self.paths[i]
            if path.chunk_end != CLOSED and path.chunk_end != place:
                path.rank += self.one_chunk
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
        """Each free match of a path gives a child; its distance goes to the path itself.

        Match by match instead of path by path: paths are ordered by rank, so that the children by one
        match do too, once those that begin a chunk are apart from those that go on with one.
        """
        cdef int32_t i, k
        self.best.count = self.joined.count = self.apart.count = 0
        if self.is_shared:
            self._unshare()
        for i in range(self.path_count):
            if self.paths[i].position > position:
                push(&self.best, self.paths[i].rank, i, UNCHANGED)
        for k in range(self.list_start[position], self.list_start[position + 1]):
            self._add_children(position, k)
        self._add_skips(position)
        for i in range(self.best.count):
            self._follow(&self.best.items[i], i)
        self.paths, self.following = self.following, self.paths
        self.used, self.used_following = self.used_following, self.used
        self.path_count = self.best.count

    cdef void _add_children(self, int32_t position, int32_t number) noexcept nogil:
        cdef const Match* match = &self.matches[number]
        cdef int64_t gain = (<int64_t>match.gain) << self.matched_shift
        cdef int64_t rank, limit = self._limit(), one_chunk = self.one_chunk
        cdef uint64_t places = match.places
        cdef int32_t i, place = match.place, distance = distance_of(match)
        cdef bint is_beyond = place + match.size > 64
        cdef Path* path
        for i in range(self.path_count):
            path = &self.paths[i]
            if path.position > position or path.used & places:
                continue
            if is_beyond and self._is_any_used_beyond(path, match):
                continue
            rank = path.rank - gain
            path.rank += distance
            if path.chunk_end == CLOSED or path.chunk_end == place:
                if rank <= limit:
                    push(&self.joined, rank, i, number)
            elif rank + one_chunk <= limit:
                push(&self.apart, rank + one_chunk, i, number)
        self._merge_children()

    cdef void _add_skips(self, int32_t position) noexcept nogil:
        """Add each path itself, with the distances of all its children."""
        cdef int64_t limit = self._limit(), one_chunk = self.one_chunk
        cdef const Path* path
        cdef int32_t i
        for i in range(self.path_count):
            path = &self.paths[i]
            if path.position > position:
                continue
            if path.chunk_end == CLOSED:
                if path.rank <= limit:
                    push(&self.joined, path.rank, i, SKIPPED)
            elif path.rank + one_chunk <= limit:
                push(&self.apart, path.rank + one_chunk, i, SKIPPED)
        self._merge_children()

    cdef inline int64_t _limit(self) noexcept nogil:
        """The highest rank that a further candidate may have."""
        return self.best.items[self.beam - 1].rank if self.best.count == self.beam else INT64_MAX

    cdef bint _is_any_used_beyond(self, const Path* path, const Match* match) noexcept nogil:
        cdef const uint64_t* used = &self.used[<size_t>path.row * self.further]
        cdef int32_t i
        for i in range(max(match.place, 64), match.place + match.size):
            if (used[(i >> 6) - 1] >> (i & 63)) & 1:
                return True
        return False

    cdef inline void _merge_children(self) noexcept nogil:
        """Merge the children by one match with the best candidates so far."""
        self._merge(&self.joined)
        self._merge(&self.apart)

    cdef inline void _merge(self, Candidates* children) noexcept nogil:
        if children.count == 0:
            return
        if self.best.count == 0:
            self.best, children[0] = children[0], self.best
            return
        merge(&self.best, children, &self.merged, self.beam)
        self.best, self.merged = self.merged, self.best
        children.count = 0

    cdef inline void _follow(self, const Candidate* candidate, int32_t row) noexcept nogil:
        """Make the path of a candidate that was kept."""
        cdef const Path* parent = &self.paths[candidate.parent]
        cdef Path* path = &self.following[row]
        cdef const Match* match
        path[0] = parent[0]
        path.rank = candidate.rank
        path.row = row
        if self.further:
            memcpy(
                &self.used_following[<size_t>row * self.further],
                &self.used[<size_t>parent.row * self.further],
                self.further * sizeof(uint64_t),
            )
        if candidate.match >= 0:
            match = &self.matches[candidate.match]
            path.used |= match.places
            if match.place + match.size > 64:
                self._use_beyond(row, match)
            self.chosen[self.chosen_count].match = candidate.match
            self.chosen[self.chosen_count].before = parent.chosen
            path.chosen = self.chosen_count
            self.chosen_count += 1
            path.position = match.start + match.length
            path.chunk_end = match.place + match.size
        elif candidate.match == SKIPPED:
            path.chunk_end = CLOSED

    cdef void _use_beyond(self, int32_t row, const Match* match) noexcept nogil:
        cdef uint64_t* used = &self.used_following[<size_t>row * self.further]
        cdef int32_t i
        for i in range(max(match.place, 64), match.place + match.size):
            used[(i >> 6) - 1] |= (<uint64_t>1) << (i & 63)

    cdef void _trace_back(self) noexcept nogil:
        """The fixed matches and those of the best path, its open chunk closed, by their start."""
        cdef int32_t chosen, match, position
        if not self.is_shared:
            self._end_chunks(CLOSED)
        chosen = self.paths[0].chosen
        while chosen >= 0:
            match = self.chosen[chosen].match
            self.fixed[self.matches[match].start] = match
            chosen = self.chosen[chosen].before
        self.alignment_length = 0
        for position in range(self.reference.length):
            if self.fixed[position] >= 0:
                self.alignment[self.alignment_length] = self.fixed[position]
                self.alignment_length += 1

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
                    4 + 4 * match.stage + 2 * self.hypothesis.words[k].is_function
                ] += self._weight(&self.hypothesis, k)
            for k in range(match.start, match.start + match.length):
                counts[
                    5 + 4 * match.stage + 2 * self.reference.words[k].is_function
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
            if line.words[i].is_function:
                counts[2] += weight

    cdef inline int32_t _weight(self, const Line* line, int32_t place) noexcept nogil:
        return line.words[place].size if self.characters else 1
