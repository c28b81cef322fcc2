"""Check: files, defects, options.

Imported by the window only.
Begin with `check_page.py`.
"""
