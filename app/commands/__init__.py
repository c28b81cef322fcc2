"""Commands of the window as data, and their implementation.

Imported by the window only.
Begin with `catalogue.py`.
"""
