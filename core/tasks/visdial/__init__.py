"""Visual dialogues: generated answers against sets of reference answers, and building these."""
