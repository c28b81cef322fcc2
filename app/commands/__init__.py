"""Commands as data, and the modules that carry them out.

Imported by the window only.
Begin with `catalogue.py`.
"""
