"""Inspector of a ranked list (`keyword_spotting_inspector.py`)."""
