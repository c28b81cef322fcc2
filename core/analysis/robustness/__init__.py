"""Robustness of a ranking under other reasonable choices.

Begin with `assessment.py`.
"""
