"""Signed and encrypted files: entries after the deadline, certificates, revocations.

Imported by workflow, command line and window. The package `cryptography` is imported on use.
Begin with `signed_document.py`.
"""
