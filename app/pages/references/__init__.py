"""References page: building VisDial's reference sets (`references_page.py`)."""
