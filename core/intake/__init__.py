"""Intake: folders and archives of submissions become named systems, each with what is odd of it."""
