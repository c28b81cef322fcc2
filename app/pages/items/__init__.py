"""Items page: all items of a system with their scores, and one item (`items_page.py`)."""
