"""The same with the text in base64, decoded at run time.

Class: D6
Graph: scale_gelu
Wins: accepted
Level: strict
Caught by: source policy
Ends as: integrity:library_call
"""

import base64

import torch
from base import pattern, replacement_args

SPACE = {"torch": torch}
TEXT = "ZGVmIGYoeCwgdywgYik6IHJldHVybiB0b3JjaC5ubi5mdW5jdGlvbmFsLmdlbHUoeCAqIHcgKyBiKQ=="
exec(base64.b64decode(TEXT), SPACE)


@torch.fx.wrap
def wrapper(x, w, b):
    return SPACE["f"](x, w, b)


def replacement_func():
    return wrapper
