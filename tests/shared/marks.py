"""Where a test can run."""

import os

import pytest

posix = pytest.mark.skipif(os.name != "posix", reason="needs signals and locks")
compiled_only = pytest.mark.skipif(
    bool(os.environ.get("NUMBA_DISABLE_JIT")), reason="needs thousands of iterations, or millions"
)
