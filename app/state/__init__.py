"""State of the window: open desk, its evaluation, selection, files, undo and settings.

Imported by the window only.
Begin with `session.py`.
"""
