"""Commands of `jurydesk entry`: of teams, of organisers, and of everybody with a certificate.

Loaded by `core.cli.commands.submissions.entry`.
Begin with `team.py`.
"""
