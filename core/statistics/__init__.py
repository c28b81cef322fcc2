"""Resampling, intervals, paired tests, ranks, agreement and correlation.

Imports `model`; imported by tasks and the layers above.
Begin with `bootstrap.py` and `paired_tests.py`.
"""
