"""Scoring of FusionBrain's sub-tasks, one module each.

Imported by the competition only.
Begin with the module of a sub-task, such as `question_answering.py`.
"""
