"""Competitions, one folder each; `shared` modules are resources that several of them use.

Imported through the registry; nothing imports a competition by name.
Begin with `../competition/task.py`.
"""
