"""Fuzzing of every role of a file by the commands that read it."""
