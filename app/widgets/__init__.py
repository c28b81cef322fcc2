"""Parts of the window: one visible thing a module."""
