"""Sentence vectors for VisDial: fastText and BERT.

Imported by the competition and its reference sets.
Begin with `embedder.py`.
"""
