"""The checker that participants get: format checks without reference answers.

Imported by workflow, command line and window.
Begin with `kit.py`.
"""
