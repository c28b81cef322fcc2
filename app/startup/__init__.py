"""Start and end of the program: display, first paint, crash report, Ctrl-C.

Imported by the window only.
Begin with `start.py`.
"""
