"""VisDial challenge metrics: MRR, R@k, mean rank and NDCG of ranked candidate answers.

Imported through the registry only.
Begin with `visdial_ranks_task.py`.
"""
