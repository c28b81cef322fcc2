"""Command of declared competitions."""
