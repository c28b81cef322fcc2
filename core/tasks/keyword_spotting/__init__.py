"""Keyword spotting and ranked retrieval: rusteval, ICFHR 2014, trec_eval.

Imported through the registry only.
Begin with `keyword_spotting_task.py`.
"""
