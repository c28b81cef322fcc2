"""The report: one HTML file that needs nothing else.

A room of `core.export`.
Begin with `report.py`.
"""
