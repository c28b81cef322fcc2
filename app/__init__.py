"""The window, in PySide6; nothing of the core knows it.

Imports every layer of `core`.
Begin with `__main__.py` and `window/main_window.py`.
"""
