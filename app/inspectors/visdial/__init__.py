"""The view of a question: its answers beside the reference set."""
