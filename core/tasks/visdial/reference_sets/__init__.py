"""Building reference sets by canonical correlation (methods S, M, G, H).

Imported by the command `references` and the page References.
Begin with `builder.py`.
"""
