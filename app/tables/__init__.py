"""Table widget: model, columns, sorting, painting.

Imported by pages and inspectors.
Begin with `table_view.py`.
"""
