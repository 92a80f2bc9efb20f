"""`python -m ruse`: the command line, where no script is installed."""

import sys

from ruse.entry import main

sys.exit(main())
