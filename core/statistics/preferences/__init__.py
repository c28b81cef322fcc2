"""Strengths of systems from preferences between two of their entries."""
