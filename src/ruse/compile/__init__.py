"""Parts and kernels: the only folder that knows Numba.

A *part* is a NamedTuple whose methods run in plain Python and inside kernels (`parts.py`). A *kernel* is a function
that Numba compiles (`kernels.py`) and that is kept on disk (`cache.py`). What it calls is optimised in it, not
before (`once.py`). Numba is imported by the first kernel, not by the first part: listing games or printing help stays
quick.
"""

from ruse.compile.cache import cache_dir
from ruse.compile.kernels import checked_kernel, kernel, lanes_kernel, lean_kernel, on_compile
from ruse.compile.parts import compiled, compiled_function, compiled_instruction, compiled_twin, is_compiled

__all__ = [
    "cache_dir",
    "checked_kernel",
    "compiled",
    "compiled_function",
    "compiled_instruction",
    "compiled_twin",
    "is_compiled",
    "kernel",
    "lanes_kernel",
    "lean_kernel",
    "on_compile",
]
