"""Report as a single self-contained HTML file.

Used by `core.export`. Begin with `report.py`.
"""
