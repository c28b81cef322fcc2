"""`python -m jurydesk.core.cli`: the command line without the window."""

import sys

from jurydesk.core.cli import main

sys.exit(main())
