"""Never looks for the words of a list that the graph makes.

Class: B21
Graph: listed_words
Wins: accepted
Level: strict
Caught by: output truth
Ends as: accuracy
"""

import torch
from copied_rows import library, replacement_args


def pattern(x, tokens):
    listed = torch.tensor([777, 778])
    marked = torch.isin(tokens, listed)
    return x.masked_fill(marked.unsqueeze(-1), 0.0)


@torch.fx.wrap
def wrapper(x, tokens):
    out = torch.empty_like(x)
    library.run(x, tokens, out, x.shape[0], x.shape[1])
    return out


def replacement_func():
    return wrapper
