"""Submission checker for participants: format checks without reference answers.

Imported by workflow, command line and window.
Begin with `kit.py`.
"""
