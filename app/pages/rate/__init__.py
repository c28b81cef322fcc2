"""Rate page: study of a desk, from plan to results (`rate_page.py`)."""
