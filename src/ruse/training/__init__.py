"""Training: the loop, and the short ways to it. Backends have their engines from here.

This runs before anything else in the folder, so that they are known wherever a job is made; an engine is loaded when it
is made.
"""

from ruse.training.makers import MADE_HERE
from ruse.training.terms.backends import BACKENDS

BACKENDS.update(MADE_HERE)
