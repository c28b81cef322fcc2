"""FusionBrain Challenge 2.0: four sub-tasks and the integral score.

Imported through the registry only.
Begin with `fusionbrain_task.py`.
"""
