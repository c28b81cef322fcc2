"""Metrics of image captions: BLEU, ROUGE-L, CIDEr and CIDEr-D.

A room of `core.metrics`.
Begin with `cider.py`.
"""
