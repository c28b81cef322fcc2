"""Visual storytelling: the VIST Challenge 2018 (EvalVIST).

Imported through the registry only.
Begin with `vist_task.py`.
"""
