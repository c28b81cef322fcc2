"""Self-test: comparison of this installation with recorded scores of the original programs.

Imported by command line and window.
Begin with `checks.py`.
"""
