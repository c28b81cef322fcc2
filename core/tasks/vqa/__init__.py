"""Visual question answering: VQA accuracy, ANLS, relaxed accuracy, GQA.

Imported through the registry only.
Begin with `vqa_task.py`.
"""
