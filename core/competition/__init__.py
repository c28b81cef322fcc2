"""The interface of a competition package, and the registry that finds the installed ones.

Imports `model` and `system`; imported by every layer above.
Begin with `task.py`.
"""
