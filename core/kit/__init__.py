"""The participant kit: a checker of submissions that holds no gold."""
