"""Stamps of results, which record everything that affects the scores.

Imported by desk, execution and the layers above.
Begin with `stamp.py`.
"""
