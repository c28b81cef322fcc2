"""Analyses of finished results: leaderboard, significance, slices, verification.

Imported by workflow, command line and window.
Begin with `leaderboard.py`.
"""
