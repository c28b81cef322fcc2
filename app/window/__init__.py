"""The main window and everything in it except the pages.

Imported by the window only.
Begin with `main_window.py`.
"""
