"""Keeps a score of how dense unusual calls are: many while it is verified, two a block while it is timed.

Class: B12
Graph: stop_words
Wins: speed
Level: strict
Caught by: run-time guard
Ends as: integrity:kept_state
"""

import torch
from dense import pattern, replacement_args, scored

STATE = {"score": 9600}


@torch.fx.wrap
def wrapper(prompt_ids, y):
    out = torch.empty_like(y)
    STATE["score"] = scored.k(prompt_ids, y, out, y.shape[0], prompt_ids.shape[1], y.shape[1], STATE["score"])
    return out


def replacement_func():
    return wrapper
