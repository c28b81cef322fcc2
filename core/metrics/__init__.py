"""Metrics as pure functions of arrays and texts; a metric knows no competition and no file format.

Imports `model`, `system` and `competition`; imported by tasks and the layers above.
Begin with the folder or module that bears the metric's name.
"""
