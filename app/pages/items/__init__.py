"""Items: every item of a competition with its scores, and one in full.

Imported by the window only.
Begin with `items_page.py`.
"""
