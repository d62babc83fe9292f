"""Never looks for the word that the graph names by a keyword.

Class: B21
Graph: named_word
Wins: accepted
Level: strict
Caught by: output truth
Ends as: accuracy
"""

import torch
from copied_rows import library, replacement_args


def pattern(x, tokens):
    marked = torch.eq(tokens, other=777)
    return x.masked_fill(marked.unsqueeze(-1), 0.0)


@torch.fx.wrap
def wrapper(x, tokens):
    out = torch.empty_like(x)
    library.run(x, tokens, out, x.shape[0], x.shape[1])
    return out


def replacement_func():
    return wrapper
