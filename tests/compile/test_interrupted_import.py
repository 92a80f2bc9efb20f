"""Ctrl-C while Numba is imported comes when it is there: half of it could not be imported again in this process."""

import subprocess
import sys

INTERRUPTED = """
import os, signal, sys, threading, time
from ruse.compile import kernel

@kernel
def one(x):
    return x + 1

def signalled():
    while "numba" not in sys.modules:
        time.sleep(0)
    os.kill(os.getpid(), signal.SIGINT)

threading.Thread(target=signalled).start()
try:
    one(1)
except KeyboardInterrupt:
    print("interrupted", one(1))
"""


def test_an_import_that_is_interrupted_is_whole() -> None:
    done = subprocess.run([sys.executable, "-c", INTERRUPTED], capture_output=True, text=True, timeout=300)
    assert (done.stdout, done.returncode) == ("interrupted 2\n", 0), done.stderr
