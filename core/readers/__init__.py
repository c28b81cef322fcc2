"""Readers of untrusted files, shared by several competitions.

Imports `model`, `system` and `competition`; imported by tasks and the layers above.
Begin with `json_file.py`.
"""
