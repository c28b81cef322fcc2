"""State of the window: open desk, selection, files and settings.

Imported by the window only.
Begin with `session.py`.
"""
