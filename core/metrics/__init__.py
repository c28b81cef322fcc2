"""The metrics: they know arrays and strings, never files."""
