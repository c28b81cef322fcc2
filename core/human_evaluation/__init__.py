"""Human evaluation, from the design of a study to its results.

Imported by workflow, command line and window; knows no competition.
Begin with `design/study.py`.
"""
