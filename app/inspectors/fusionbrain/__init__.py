"""Inspector of an answer, and panel of a submission (`fusionbrain_panel.py`)."""
