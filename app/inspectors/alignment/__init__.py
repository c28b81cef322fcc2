"""METEOR's alignment of two texts, drawn.

Imported by inspectors only.
Begin with `alignment_view.py`.
"""
