"""The competitions: one folder each, found by `core.tasks.registry`."""
