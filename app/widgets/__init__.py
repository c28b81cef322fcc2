"""General widgets and layouts.

Imported by every folder of `app`.
Begin with `parts.py`.
"""
