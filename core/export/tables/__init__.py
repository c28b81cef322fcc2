"""Tables of the window as files, with what is needed to make them again.

Imported by pages and by the verification.
Begin with `table_file.py`.
"""
