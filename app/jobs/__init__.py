"""Jobs: work in background threads, and the evaluation of the open desk.

Imported by the window only.
Begin with `job.py`, then `latest_job.py`.
"""
