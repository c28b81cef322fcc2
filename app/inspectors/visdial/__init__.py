"""Inspector of a question and its candidate answers.

Found by `app.inspectors.inspector_registry`.
Begin with `visdial_inspector.py`.
"""
