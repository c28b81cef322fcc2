"""Rating studies, raters and their answers."""
