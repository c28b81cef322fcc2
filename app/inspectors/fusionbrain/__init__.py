"""Inspector of an answer; the panel of a whole submission.

Found by `app.inspectors.inspector_registry`.
Begin with `fusionbrain_inspector.py`.
"""
