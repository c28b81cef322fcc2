"""Statistics over the rows of per-item numbers."""
