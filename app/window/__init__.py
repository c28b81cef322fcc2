"""The frame of the window: what stands round every page.

Imported by the window only.
Begin with `main_window.py`.
"""
