"""TODO core/selftest"""
