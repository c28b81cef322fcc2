"""Inspector of an image and its captions.

Found by `app.inspectors.inspector_registry`.
Begin with `captions_inspector.py`.
"""
