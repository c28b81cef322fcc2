"""METEOR with RuWordNet, as FusionBrain computes it.

A room of `core.metrics`.
Begin with `staged_meteor.py`.
"""
