"""Use cases that the window and the command line share: take files in, check, score, keep.

Front ends (`app`, `core.cli`) import it; it knows no Qt.
Begin with `score.py` and `desk_state.py`.
"""
