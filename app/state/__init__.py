"""State of the window: what is open, chosen and remembered.

Imported by the window only.
Begin with `session.py`.
"""
