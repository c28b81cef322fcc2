"""Inspector of a story and its photos.

Found by `app.inspectors.inspector_registry`.
Begin with `vist_inspector.py`.
"""
