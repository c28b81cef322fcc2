"""Version of Jurydesk, read by pyproject, the stamp and the window."""

__version__ = "0.2.0"
