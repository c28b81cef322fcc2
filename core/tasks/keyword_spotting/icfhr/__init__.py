"""XML of ICFHR 2014: the strict reader and the fast line reader.

Imported by the competition only.
Begin with `icfhr_reader.py`.
"""
