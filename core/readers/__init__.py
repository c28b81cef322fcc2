"""Readers of untrusted files that several competitions share.

Imports `model`, `system` and `competition`; imported by tasks and the layers above.
Begin with `json_file.py`.
"""
