"""CLIP scores of pairs of pictures and texts.

Imported by the competition only.
Begin with `clip_score.py`.
"""
