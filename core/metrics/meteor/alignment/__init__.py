"""METEOR's matchers and beam search, compiled and in Python.

Imported by `core.metrics.meteor` only.
Begin with `alignment.py`, then `beam_search.py`.
"""
