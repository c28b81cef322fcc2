from libc.stdint cimport int32_t

cdef struct Word:
    # A row of `words.FactTable`, whose columns these are.
    int32_t key
    int32_t stem
    int32_t paraphrase
    int32_t is_function
    int32_t size
    int32_t sets_start
    int32_t sets_stop
    int32_t entry_start
    int32_t entry_stop
    int32_t child_start
    int32_t child_stop


cdef const int32_t* int32_pointer(const int32_t[::1] array)
