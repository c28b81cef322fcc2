"""Ratings of people and programs in tables that another program wrote.

Begin with `imported_study.py`.
"""
