"""Command `jurydesk entry`: sealed entries after the deadline, their ledger and certificates."""

from __future__ import annotations

from jurydesk.core.cli.command import SuggestingGroup
from jurydesk.core.cli.entries.certificates import board_command, verify_command
from jurydesk.core.cli.entries.organiser import (
    approve_command,
    ledger_command,
    open_command,
    policy_command,
    revoke_command,
)
from jurydesk.core.cli.entries.team import key_command, seal_command

command = SuggestingGroup(
    "entry",
    commands={
        "key": key_command,
        "seal": seal_command,
        "open": open_command,
        "approve": approve_command,
        "policy": policy_command,
        "ledger": ledger_command,
        "revoke": revoke_command,
        "verify": verify_command,
        "board": board_command,
    },
    help="Sealed entries after the deadline: seal, score within a budget, certify, verify.",
)
