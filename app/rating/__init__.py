"""The rating page in the web view; only a rater's window imports this package."""
