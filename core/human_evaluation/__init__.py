"""Human evaluation: design of a study, packets, answers, and results.

Imported by workflow, command line and window; knows no competition.
Begin with `design/study.py`.
"""
