"""Public Python interface, exported by `import jurydesk`.

Stable: exports change only with a new major version. It calls the same workflow as the command
line; begin with `scoring`.
"""
