"""Dialogs that lie over the window and leave with Esc.

Imported by the window only.
Begin with `sheet.py`.
"""
