"""References: building VisDial's reference sets.

Imported by the window only.
Begin with `references_page.py`.
"""
