"""Inspector of a query and its ranked list.

Found by `app.inspectors.inspector_registry`.
Begin with `keyword_spotting_inspector.py`.
"""
