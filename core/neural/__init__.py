"""Batches, device pools, feature caches and weights of metrics that run a neural network.

Imported by tasks and the layers above.
Begin with `device_pool.py`.
"""
