"""View of METEOR's alignment, used by inspectors (`alignment_view.py`)."""
