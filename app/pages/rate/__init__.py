"""Rate: the study of a desk, from its plan to its findings.

Imported by the window only.
Begin with `rate_page.py`.
"""
