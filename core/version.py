"""The one place where the version is written; pyproject, the stamp and the window read it here."""

__version__ = "0.2.0"
