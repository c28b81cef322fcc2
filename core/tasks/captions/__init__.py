"""Image captioning: the scores of COCO captions and Flickr30k.

Imported through the registry only.
Begin with `captions_task.py`.
"""
