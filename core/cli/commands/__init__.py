"""Commands of `jurydesk`, one module each, in four groups.

Loaded by `core.cli.program` when they are called.
Begin with `../program.py`.
"""
