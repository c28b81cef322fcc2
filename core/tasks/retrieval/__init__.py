"""Image-text retrieval: recall at 1, 5 and 10 in both directions (Flickr30k, COCO).

Imported through the registry only.
Begin with `retrieval_task.py`.
"""
