"""Interface of competition packages, and the registry of the installed ones.

Imports `model` and `system`; imported by every layer above.
Begin with `task.py`.
"""
