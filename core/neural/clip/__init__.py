"""CLIP models, and the vectors of pictures and captions.

Part of `core.neural`.
Begin with `clip_embeddings.py`.
"""
