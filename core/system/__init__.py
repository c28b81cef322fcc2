"""System services: folders of the program, atomic files, file locks, Ctrl+C, BLAS threads.

Imports nothing of ours; any layer may import it.
Begin with `paths.py`.
"""
