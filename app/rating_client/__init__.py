"""Rating program: the rating page in a web view.

Started as a program of its own.
Begin with `start_rating.py`.
"""
