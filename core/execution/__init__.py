"""Execution of long work: progress, cancellation, chunks, local and remote workers.

Imported by tasks and the layers above.
Begin with `run.py`, then `engine.py`.
"""
