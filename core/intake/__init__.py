"""Intake of received files, folders and archives as named systems with roles.

Imported by workflow, command line and window.
Begin with `take_in.py`.
"""
