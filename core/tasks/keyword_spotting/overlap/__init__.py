"""Keyword spotting by overlap: references, ranked lists and their evaluation under a protocol.

Begin with `spot_lists.py`; `core/metrics/spotting/protocols.py` has the rules.
"""
