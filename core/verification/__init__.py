"""Verification of exports: they are made again from their stamps' inputs, and compared.

Imported by the command line.
Begin with `recomputation.py`.
"""
