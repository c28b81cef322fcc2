"""Reimplementation of trec_eval: its options, measures and output.

Imported by the command `trec_eval`.
Begin with `trec_eval_run.py`.
"""
