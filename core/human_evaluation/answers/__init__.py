"""Answers of raters, during and after rating.

Used by `core.human_evaluation`. Begin with `rating_session.py`.
"""
