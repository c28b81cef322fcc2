"""Extensions of pytest: expected skips, slow tests, two parts of the suite."""
