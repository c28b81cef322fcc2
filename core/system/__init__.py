"""Folders of the program, file locks, Ctrl+C and threads of linear algebra.

Imports nothing of ours; any layer may import it.
Begin with `paths.py`.
"""
