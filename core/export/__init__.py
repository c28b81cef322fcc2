"""Results as files for other programs: JSON, tables of items, and boards as CSV, LaTeX and HTML."""
