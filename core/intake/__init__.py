"""Intake: from received files, folders and archives to named systems with roles.

Imported by workflow, command line and window.
Begin with `take_in.py`.
"""
