"""Competitions declared in a folder, without Python: `competition.toml` and a table of references.

Imported by the competition only.
Begin with `declared_task.py`.
"""
