"""Jobs: work in background threads, and the report of a crash.

Imported by the window only.
Begin with `job.py`, then `latest_job.py`.
"""
