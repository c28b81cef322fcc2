"""`python -m jurydesk.core.cli`: the command line without the window."""

import sys

from jurydesk.core.cli import run_command_line

sys.exit(run_command_line())
