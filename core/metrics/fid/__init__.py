"""The Fréchet distance as arithmetic: preprocessing, network, moments, distance.

A room of `core.metrics`.
Begin with `frechet_distance.py`.
"""
