"""Results as lines of text for a terminal.

Imported by the commands only.
Begin with `leaderboard_text.py`.
"""
