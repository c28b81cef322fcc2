"""Inception features of pictures, and the Fréchet Inception distance of two folders.

Part of `core.neural`.
Begin with `fid_score.py`.
"""
