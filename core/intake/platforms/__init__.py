"""Downloads of competition platforms: their files, their tables, and what these say together.

A platform is recognized by the content of files, never by the name that a person can change.
"""
