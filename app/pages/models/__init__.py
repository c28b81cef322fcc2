"""Models page: weight files of neural metrics (`models_page.py`)."""
