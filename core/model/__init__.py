"""Data classes shared by every layer, with their JSON and binary encodings.

Imports nothing of ours; any layer may import it.
Begin with `evaluation.py`.
"""
