"""Ctrl-C while Numba is imported comes when it is there: half of it could not be imported again in this process."""

import subprocess
import sys

INTERRUPTED = """
import signal, sys
from ruse.compile import kernel

signal.signal(signal.SIGINT, signal.default_int_handler)  # which a shell lets commands in the background ignore

@kernel
def one(x):
    return x + 1

class Signals:
    '''Looks for no module, and signals when one in the middle of Numba is looked for.'''

    def find_spec(self, name, path=None, target=None):
        if name == "numba.core.config":
            signal.raise_signal(signal.SIGINT)

sys.meta_path.insert(0, Signals())
try:
    one(1)
except KeyboardInterrupt:
    print("interrupted", one(1))
"""


def test_an_import_that_is_interrupted_is_whole() -> None:
    done = subprocess.run([sys.executable, "-c", INTERRUPTED], capture_output=True, text=True, timeout=300)
    assert (done.stdout, done.returncode) == ("interrupted 2\n", 0), done.stderr
