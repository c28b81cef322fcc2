"""Exports of results: CSV, JSON, LaTeX, HTML.

Imported by command line and window.
Begin with `results_json.py`.
"""
