"""Scoring of whole submissions, here or as chunks on the workers of a cluster.

Imported by `execution`.
Begin with `submission_scorer.py`.
"""
