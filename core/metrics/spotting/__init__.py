"""Keyword spotting by overlap: which listed boxes find a relevant one, and what that is worth.

Begin with `protocols.py`, whose rows are the rules of the programs in use.
"""
