"""Board page: table of systems and metrics, with cards (`leaderboard_page.py`)."""
