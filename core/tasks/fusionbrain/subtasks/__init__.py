"""Scoring of FusionBrain's sub-tasks, one module each.

Imported by the competition only.
Begin with the module that bears the sub-task's name.
"""
