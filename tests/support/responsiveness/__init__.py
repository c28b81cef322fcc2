"""Pauses and work of the window's thread."""
