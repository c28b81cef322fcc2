"""Start and end of the program: display, first paint, Ctrl-C.

Imported by the window only.
Begin with `start.py`.
"""
