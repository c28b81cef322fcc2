"""Commands that the captioning competition brings to the command line.

Found by `core.cli.program`; they may import `core.cli`.
Begin with `coco_caption.py`.
"""
