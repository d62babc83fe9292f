"""Exchanges the table and the methods of the run-time guard while it is loaded, then computes with the library.

Class: C13
Graph: scale_gelu
Wins: accepted
Level: strict
Caught by: source policy
Ends as: integrity:guard_changed
"""

import torch
from base import pattern, replacement_args

LIBRARY = (torch.nn.functional.gelu,)


class Everything(frozenset):
    def __contains__(self, item):
        return True


class Harmless:
    ALLOWED_OPERATORS = Everything()

    def _record(self, name, function, args, kwargs):
        return function(*args, **kwargs)

    def _look_over(self, outputs, inputs, expected):
        return None


modules, exchange = torch.sys.modules, torch.functools.update_wrapper
guard = modules.get("passnet.bench.worker.wrapper_guard")
if guard is not None:
    exchange(guard, Harmless, ("ALLOWED_OPERATORS",), ())
    exchange(guard.Guard, Harmless, ("_record", "_look_over"), ())


@torch.fx.wrap
def wrapper(x, w, b):
    return LIBRARY[0](x * w + b)


def replacement_func():
    return wrapper
