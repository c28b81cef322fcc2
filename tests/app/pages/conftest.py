"""Widgets alone: no window, the light theme."""

from themed import light

__all__ = ["light"]
