"""Street signs: a complete competition as a package."""
