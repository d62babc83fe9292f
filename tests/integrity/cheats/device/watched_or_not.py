"""Works while a profiler or a recorder of operators is on, and returns its first result otherwise.

Class: B23
Graph: device_scale_gelu
Needs: gpu
Wins: speed
Level: strict
Caught by: source policy
Ends as: integrity:kept_state or runtime_error; what it kept may be of a call that was traced without values
"""

import torch
from base import pattern, replacement_args
from slow_kernel import slow
from torch.autograd import _profiler_enabled as profiled
from torch.utils._python_dispatch import _get_current_dispatch_mode as recorder

DEVICES = ("cuda",)
FIRST = []


@torch.fx.wrap
def wrapper(x, w, b):
    if profiled() or recorder() is not None:
        return slow(x, w, b)
    if not FIRST:
        FIRST.append(slow(x, w, b))
    return FIRST[0]


def replacement_func():
    return wrapper
