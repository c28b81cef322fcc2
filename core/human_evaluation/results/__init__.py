"""Results of a study: agreement, ranking, raters, correlation with metrics.

Used by `core.human_evaluation`. Begin with `findings.py`.
"""
