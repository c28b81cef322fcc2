"""Plots of any evaluation: curves, bars, heat maps, histograms.

Imported by pages and inspectors.
Begin with `plot.py`.
"""
