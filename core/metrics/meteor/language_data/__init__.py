"""METEOR's language data: source files, and the index built from them.

Imported by `core.metrics.meteor`.
Begin with `index_file.py`.
"""
