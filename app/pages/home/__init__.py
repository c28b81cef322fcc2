"""Home page: competitions, desks and the next step (`home_page.py`)."""
