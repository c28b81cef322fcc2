"""Competition of any table of results: systems, items and scores that another program computed.

Imported through the registry only.
Begin with `table_task.py`.
"""
