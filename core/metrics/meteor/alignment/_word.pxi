# What `_words.pyx` and `_beam.pyx` share. Included, not cimported: Cython finds a `.pxd` only under
# the folders of its import name, and the sources lie elsewhere.

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


cdef inline const int32_t* int32_pointer(const int32_t[::1] array):
    return &array[0] if array.shape[0] else NULL
