"""Compare: two systems item by item.

Imported by the window only.
Begin with `compare_page.py`.
"""
