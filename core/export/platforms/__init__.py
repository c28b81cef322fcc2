"""Packages for competition platforms: what these accept, refuse, and accept to one's harm."""
