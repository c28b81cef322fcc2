"""Boards and items written for other programs: CSV, JSON."""
