"""Packets for raters.

Used by `core.human_evaluation`. Begin with `packet.py`.
"""
