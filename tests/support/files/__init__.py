"""Submissions and reference files, well-formed, malformed and mutated."""
