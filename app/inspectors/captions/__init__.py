"""Inspector of an image and its captions (`captions_inspector.py`)."""
