"""Human evaluation: design of a study, packets, answers, and results.

Imported by workflow, command line and window; independent of competitions.
Begin with `design/study.py`.
"""
