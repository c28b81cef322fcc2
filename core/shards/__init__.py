"""A job as a folder of files that anybody scores anywhere, without a server between them."""
