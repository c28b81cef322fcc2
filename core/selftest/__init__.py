"""Self-test: recorded numbers of the original programs, and this machine's own results beside them.

Imported by command line and window.
Begin with `checks.py`.
"""
