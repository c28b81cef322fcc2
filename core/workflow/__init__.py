"""Use cases shared by the window and the command line: take files in, check, score, store.

Front ends (`app`, `core.cli`) import it; it does not use Qt.
Begin with `score.py` and `desk_state.py`.
"""
