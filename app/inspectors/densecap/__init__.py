"""Inspector of dense captions, and panel with heat map (`densecap_panel.py`)."""
