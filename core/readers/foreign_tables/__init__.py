"""Tables that other programs wrote: separated values, JSON and Parquet.

Begin with `read_table.py`.
"""
