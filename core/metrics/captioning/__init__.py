"""Metrics of image captions: BLEU, ROUGE-L, CIDEr and CIDEr-D.

Part of `core.metrics`.
Begin with `cider.py`.
"""
