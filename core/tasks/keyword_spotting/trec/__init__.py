"""Files of trec_eval: qrels and runs, read line by line or compiled.

Imported by the competition only.
Begin with `trec_reader.py`.
"""
