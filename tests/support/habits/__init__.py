"""Files as people have them: other encodings, separators, wrappers, ids, types and packings."""
