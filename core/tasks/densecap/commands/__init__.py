"""Command line of dense captioning.

Found by `core.cli.program`; they may import `core.cli`.
Begin with `convert.py`.
"""
