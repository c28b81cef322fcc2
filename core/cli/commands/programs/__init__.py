"""Drop-in replacements of other programs, and commands for single metrics.

Loaded by `core.cli.program`.
Begin with `trec_eval.py`.
"""
