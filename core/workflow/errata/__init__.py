"""Errata: corrections of reference data, their effect on every score, and the record.

Imported by workflow, command line and window.
Begin with `apply_errata.py`.
"""
