"""Captioned boxes in every JSON form that people have.

Imported by the competition only.
Begin with `region_reader.py`.
"""
