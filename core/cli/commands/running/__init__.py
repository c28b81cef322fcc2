"""Commands about this machine and others.

Loaded by `core.cli.program`.
Begin with `doctor.py`.
"""
