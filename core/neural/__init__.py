"""Devices, batches and caches of every metric that runs a neural network.

Imported by tasks and the layers above.
Begin with `device.py`.
"""
