"""Jurydesk: the offline evaluation desk for vision-language and retrieval competitions.

This folder is the package `jurydesk` itself; the folders `core`, `app` and `resources` beside it
are its packages `jurydesk.core`, `jurydesk.app` and `jurydesk.resources` (see pyproject.toml).
"""

from jurydesk.core.version import __version__

__all__ = ["__version__"]
