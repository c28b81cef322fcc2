"""From the command to the first paint, and to the end of the program.

Imported by the window only.
Begin with `start.py`.
"""
