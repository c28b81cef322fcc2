"""Command line of the captioning competition.

Found by `core.cli.program`; they may import `core.cli`.
Begin with `coco_caption.py`.
"""
