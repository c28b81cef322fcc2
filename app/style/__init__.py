"""Theme, number format, and strangers' text made harmless.

Imported by the window only.
Begin with `theme.py`.
"""
