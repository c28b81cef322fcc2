"""Inspector of one round with ranked options."""
