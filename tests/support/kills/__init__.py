"""Scripts that kill a program at random moments and check the files that it left."""
