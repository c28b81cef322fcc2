"""Workers that score chunks: local threads and processes, and a Dask cluster.

Imported by `execution`, command line and window.
Begin with `worker.py`.
"""
