"""Board: the table of systems and the cards below it.

Imported by the window only.
Begin with `leaderboard_page.py`, then `leaderboard_model.py`.
"""
