"""Check page: files, defects and options (`check_page.py`)."""
