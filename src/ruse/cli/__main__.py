"""The command line as `python -m ruse.cli`, for where no script is installed."""

import sys

from ruse.cli import main

if __name__ == "__main__":
    sys.exit(main())
