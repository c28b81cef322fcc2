"""Mean average precision of captioned boxes, with error analysis and what-ifs.

Part of `core.metrics`.
Begin with `average_precision.py`.
"""
