"""Views of one item (inspectors) and of all items at once (panels), by competition.

`inspector.py` and `panel.py` are the contracts. `inspector_registry.py` finds implementations in
folders beside it and in installed packages; `generic_inspector.py` is the fallback.
"""
