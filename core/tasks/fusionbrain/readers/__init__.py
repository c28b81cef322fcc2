"""Readers of FusionBrain's four JSON files.

Imported by the competition only.
Begin with `truth_reader.py`.
"""
