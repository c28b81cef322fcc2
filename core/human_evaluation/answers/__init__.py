"""Answers: what a rater gives back, while rating and afterwards.

A room of `core.human_evaluation`.
Begin with `rating_session.py`.
"""
