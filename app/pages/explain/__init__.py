"""Explain page: options behind a number, profiles, errata (`explain_page.py`)."""
