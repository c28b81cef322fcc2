"""Typed tables of the desk: inputs, submissions, checks, evaluations, errata and ratings.

Each module reads and writes its own tables with SQL; `core/desk/schema.py` defines them all.
Evidence of items is stored in compressed blocks of columns.
"""
