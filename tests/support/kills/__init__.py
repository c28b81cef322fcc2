"""Scripts that kill a program at random moments and check what it left."""
