"""Has a class pattern read a generator's frame: `dataclass` writes its attribute's name where Python looks for it.

Class: D5
Graph: scale_gelu
Wins: accepted
Level: strict
Caught by: source policy
Ends as: integrity:library_call
"""

import dataclasses
from collections.abc import Sized

import torch
from base import pattern, replacement_args


@dataclasses.dataclass
class Generator:
    gi_frame: object


@dataclasses.dataclass
class Frame:
    f_builtins: object


class AnyGenerator(Generator, Sized):
    @classmethod
    def __subclasshook__(cls, other):
        return True


class AnyFrame(Frame, Sized):
    @classmethod
    def __subclasshook__(cls, other):
        return True


def library():
    match (step for step in ()):
        case AnyGenerator(AnyFrame(names)):
            return names["__import__"]("torch")


TORCH = library()


@torch.fx.wrap
def wrapper(x, w, b):
    return TORCH.nn.functional.gelu(TORCH.addcmul(b, x, w))


def replacement_func():
    return wrapper
