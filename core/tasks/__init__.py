"""Competitions, one folder each, and resource checks that several of them share.

Imported through the registry; nothing imports a competition by name.
Begin with `../competition/task.py`.
"""
