"""Desks of the toy competition, and comparisons of desks."""
