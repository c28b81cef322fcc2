"""Entries after the deadline: reviewed, scored by a policy, and certified.

Imported by command line and window. Begin with `look.py`.
"""
