"""Inspector of one query of image-text retrieval."""
