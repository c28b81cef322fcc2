"""Theme, number format, and sanitized display of untrusted text.

Imported by the window only.
Begin with `theme.py`.
"""
