"""Drop-in replacements of other programs, and metrics on their own.

Loaded by `core.cli.program`.
Begin with `trec_eval.py`.
"""
