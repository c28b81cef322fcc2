"""Inspector of one question and its answers."""
