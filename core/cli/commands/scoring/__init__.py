"""Commands about numbers.

Loaded by `core.cli.program`.
Begin with `score.py`.
"""
