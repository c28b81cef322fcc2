"""Region captioning on given boxes, scored by COCO's caption metrics.

Imported by the competition only.
Begin with `region_captions_task.py`.
"""
