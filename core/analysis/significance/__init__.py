"""Pairwise significance tests between the systems of a competition, and copied systems.

Imported by `errata`, `export`, command line and window.
Begin with `pairwise_significance.py`.
"""
