"""The views of an answer, and of a submission as a whole."""
