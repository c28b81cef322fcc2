"""What keeps the window answering while jobs work."""
