"""Visual dialogue: the revised VisDial evaluation.

Imported through the registry only.
Begin with `visdial_task.py`.
"""
