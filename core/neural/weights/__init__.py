"""Weight files: what a role of weights needs, where the file is, and opening it safely.

A room of `core.neural`.
Begin with `weight_roles.py`.
"""
