"""General widgets and layouts, and commands and exports as data.

Imported by every folder of `app`.
Begin with `parts.py`.
"""
