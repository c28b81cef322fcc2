"""METEOR's language data: source files, and the index that is built of them.

Imported by `core.metrics.meteor`.
Begin with `index_file.py`.
"""
