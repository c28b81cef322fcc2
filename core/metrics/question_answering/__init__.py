"""Scores of short answers to questions: VQA accuracy, ANLS, relaxed accuracy."""
