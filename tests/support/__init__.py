"""Shared parts of the tests: a toy competition, recorded numbers, and tools by subject."""
