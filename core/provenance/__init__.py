"""The stamp of a result: everything that decides its numbers.

Imported by desk, execution and the layers above.
Begin with `stamp.py`.
"""
