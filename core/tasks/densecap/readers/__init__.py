"""Readers of captioned boxes in the common JSON layouts.

Imported by the competition only.
Begin with `region_reader.py`.
"""
