"""The view of a query: its ranked list."""
