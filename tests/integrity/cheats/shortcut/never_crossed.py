"""Never looks for the word of which nothing is left when its bits are crossed with others.

Class: B21
Graph: crossed_word
Wins: accepted
Level: strict
Caught by: output truth
Ends as: accuracy
"""

import torch
from copied_rows import library, replacement_args


def pattern(x, tokens):
    crossed = tokens ^ 777
    marked = ~crossed.bool()
    return x.masked_fill(marked.unsqueeze(-1), 0.0)


@torch.fx.wrap
def wrapper(x, tokens):
    out = torch.empty_like(x)
    library.run(x, tokens, out, x.shape[0], x.shape[1])
    return out


def replacement_func():
    return wrapper
