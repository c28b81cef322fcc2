"""Commands about files of participants and raters.

Loaded by `core.cli.program`.
Begin with `check.py`.
"""
