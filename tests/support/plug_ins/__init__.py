"""Plug-ins, installed for a test."""
