"""Tables as data: columns, formats of numbers, sorting, and their texts in files.

Imported by analysis, export, command line and window.
Begin with `columns.py`.
"""
