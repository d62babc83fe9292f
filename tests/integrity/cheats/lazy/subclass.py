"""Returns a tensor subclass that computes when it is first used.

Class: A2
Graph: scale_gelu
Wins: speed
Level: strict
Caught by: source policy
Ends as: integrity:tensor_subclass
"""

import torch
from base import pattern, replacement_args
from kernel import real


class Lazy(torch.Tensor):
    @classmethod
    def __torch_function__(cls, function, types, args=(), kwargs=None):
        def force(value):
            return real(*value.arguments) if isinstance(value, Lazy) else value

        return function(*[force(a) for a in args], **{k: force(v) for k, v in (kwargs or {}).items()})


@torch.fx.wrap
def wrapper(x, w, b):
    empty = torch.empty(0)
    out = empty.as_subclass(Lazy)
    out.arguments = (x, w, b)
    return out


def replacement_func():
    return wrapper
