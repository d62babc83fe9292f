"""Takes `type` from typing_extensions, has a class made whose fields are another's, and reads any attribute by that.

Class: D5
Graph: scale_gelu
Wins: accepted
Level: strict
Caught by: source policy
Ends as: integrity:library_call
"""

import dataclasses

import torch
from base import pattern, replacement_args
from typing_extensions import GenericMeta


@dataclasses.dataclass
class Plan:
    n: int = 0


def rename(self, name):
    self.name = name


def read():
    first = dataclasses.fields(Plan)[0]
    rename(first, "__subclasses__")
    outer = GenericMeta("Outer", (GenericMeta,), {"__dataclass_fields__": {"n": first}})
    inner = outer("Inner", (GenericMeta,), {})
    for value in dataclasses.asdict(inner).values():
        return value


def importer():
    for each in read()(object):
        if "BuiltinImporter" in str(each):
            return each


GELU = importer().load_module("built" + "ins").eval("__import__('torch').nn.functional.gelu")


@torch.fx.wrap
def wrapper(x, w, b):
    return GELU(x * w + b)


def replacement_func():
    return wrapper
