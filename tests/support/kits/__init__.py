"""Participant kits, checked by the program and by the kit page."""
