"""Comparisons of two systems, two profiles, and two results of one system, item by item."""
