"""FusionBrain Challenge 2.0: six sub-tasks on texts and pictures, hidden ones, one score."""
