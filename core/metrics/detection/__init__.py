"""Mean average precision of captioned boxes, its error analysis and what-ifs.

A room of `core.metrics`.
Begin with `average_precision.py`.
"""
