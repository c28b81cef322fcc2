"""One picture a module."""
