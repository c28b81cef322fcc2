"""Readers of files of boxes, segments and tables, told apart by their content.

Begin with `shapes.py`.
"""
