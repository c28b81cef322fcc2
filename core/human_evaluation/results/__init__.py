"""Results of a study: agreement, ranking, raters, correlation with metrics.

A room of `core.human_evaluation`.
Begin with `findings.py`.
"""
