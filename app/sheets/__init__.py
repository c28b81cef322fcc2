"""Sheets: dialogs over the window that Esc closes.

Imported by the window only.
Begin with `sheet.py`.
"""
