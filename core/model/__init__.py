"""Nouns that every layer shares, and how they are written as JSON or bytes.

Imports nothing of ours; any layer may import it.
Begin with `evaluation.py`.
"""
