"""Inspector of a story and its photos (`vist_inspector.py`)."""
