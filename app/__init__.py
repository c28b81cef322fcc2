"""The window, in PySide6; the core never imports it.

Imports every layer of `core`.
Begin with `__main__.py` and `window/main_window.py`.
"""
