"""The public Python interface, as `import jurydesk` offers it.

Stable: what it exports changes only with a new major version. It stands beside the command line
and calls the same workflow; begin with `scoring`.
"""
