"""METEOR with RuWordNet, as FusionBrain computes it.

Part of `core.metrics`.
Begin with `staged_meteor.py`.
"""
