"""Encoders of texts, whose word pieces have vectors.

Part of `core.neural`.
Begin with `token_matches.py`.
"""
