"""Tables as data, and their renderers: terminal, files, LaTeX, HTML.

Imported by analysis, export, command line and window.
Begin with `columns.py`.
"""
