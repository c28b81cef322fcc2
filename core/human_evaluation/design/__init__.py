"""Design of a study: questionnaire, pool of items, balanced plan.

A room of `core.human_evaluation`.
Begin with `study.py`.
"""
