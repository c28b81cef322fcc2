"""Compare page: two systems item by item (`compare_page.py`)."""
