"""`python -m ruse`: the command line, where no script is installed."""

import sys

from ruse.cli import main

sys.exit(main())
