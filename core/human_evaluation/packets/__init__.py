"""Packets: what a rater gets.

A room of `core.human_evaluation`.
Begin with `packet.py`.
"""
