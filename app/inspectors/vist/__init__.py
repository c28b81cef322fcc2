"""The view of a sequence: its photos, and the story beside the human ones."""
