"""Explain: where a number comes from, profiles, errata.

Imported by the window only.
Begin with `explain_page.py`.
"""
