"""Qt item models over tables of the core."""
