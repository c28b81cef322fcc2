"""Execution of long work: progress, cancelling, chunks, workers on this machine and on others.

Imported by tasks and the layers above.
Begin with `run.py`, then `engine.py`.
"""
