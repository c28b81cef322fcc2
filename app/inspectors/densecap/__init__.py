"""Inspector of an image and its captioned boxes; the panel with heat map and thresholds.

Found by `app.inspectors.inspector_registry`.
Begin with `densecap_inspector.py`.
"""
