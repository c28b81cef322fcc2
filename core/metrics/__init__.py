"""Metrics as pure functions of arrays and texts, independent of competitions and file formats.

Imports `model`, `system` and `competition`; imported by tasks and the layers above.
Begin with the folder or module named after the metric.
"""
