"""Jurydesk's evaluation core: competitions, metrics, statistics and the desk, without Qt."""

from jurydesk.core.version import __version__

__all__ = ["__version__"]
