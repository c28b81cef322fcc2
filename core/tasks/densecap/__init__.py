"""Dense captioning: DenseCap's mean average precision.

Imported through the registry only.
Begin with `densecap_task.py`.
"""
