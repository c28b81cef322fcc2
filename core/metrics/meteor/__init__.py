"""METEOR 1.5 for English, bit for bit, without Java."""
