"""The VIST Challenge 2018: stories for sequences of five photos, scored by METEOR."""
