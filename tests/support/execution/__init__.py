"""Chunks of squares, cancellation, and a local Dask cluster."""
