"""Windows with small evaluations, their layout, keyboard and jobs."""
