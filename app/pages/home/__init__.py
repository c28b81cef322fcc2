"""Home: desks, competitions, and what to do next.

Imported by the window only.
Begin with `home_page.py`.
"""
