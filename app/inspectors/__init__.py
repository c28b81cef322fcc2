"""Views of one item (inspectors) and of all items at once (panels), by competition.

`inspector.py` and `panel.py` are the contracts, `registry.py` finds who implements them: a folder
here, or an installed package. Whatever brings no inspector is shown by `generic.py`.
"""
