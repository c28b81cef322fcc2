"""Small parts without a subject of their own.

Imported by every folder of `app`.
Begin with `parts.py`.
"""
