"""Design of a study: questionnaire, pool of items, balanced plan.

Used by `core.human_evaluation`. Begin with `study.py`.
"""
