"""Models: weight files, and where they are.

Imported by the window only.
Begin with `models_page.py`.
"""
