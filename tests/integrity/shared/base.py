"""What most passes of the corpus share: the pattern gelu(x * w + b) and its arguments."""

import torch


def pattern(x, w, b):
    return torch.nn.functional.gelu(x * w + b)


def replacement_args(x, w, b):
    return (x, w, b)
