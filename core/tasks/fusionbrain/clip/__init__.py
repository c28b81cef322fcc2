"""CLIP models and the CLIP score.

Imported by the competition only.
Begin with `clip_score.py`.
"""
