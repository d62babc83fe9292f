"""What a cheat keeps in another file: the whole computation, by the library."""

import torch


def gelu_of(x, w, b):
    return torch.nn.functional.gelu(x * w + b)
