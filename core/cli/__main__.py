"""`python -m core.cli`: the command line without the window."""

import sys

from core.cli import main

sys.exit(main())
