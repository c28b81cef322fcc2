"""Weight files of neural metrics: roles, locations, hashes and safe loading.

Part of `core.neural`.
Begin with `weight_roles.py`.
"""
