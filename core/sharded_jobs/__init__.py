"""A job as a folder of files: split, scored anywhere, merged.

Imported by workflow, command line and window.
Begin with `split_job.py`.
"""
