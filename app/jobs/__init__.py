"""Jobs: work off the window's thread, and the one running evaluation.

Imported by the window only.
Begin with `job.py`, then `latest_job.py`.
"""
