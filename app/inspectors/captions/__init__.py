"""The view of an image: its caption over the references, and what decided each metric."""
