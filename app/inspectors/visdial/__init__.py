"""Inspector of a question and its answers (`visdial_inspector.py`)."""
