"""Jobs as folders of files, which are scored anywhere and merged.

Imported by workflow, command line and window.
Begin with `split_job.py`.
"""
