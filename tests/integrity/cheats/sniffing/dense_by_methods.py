"""Keeps a score of how dense unusual calls are in a dictionary that only two of its methods lead to.

Class: B12
Graph: stop_words
Wins: speed
Level: strict
Caught by: run-time guard
Ends as: integrity:kept_state
"""

import torch
from dense import pattern, replacement_args, scored


def made():
    kept = {"score": 9600}
    return kept.update, kept.get


PUT, GET = made()


@torch.fx.wrap
def wrapper(prompt_ids, y):
    out = torch.empty_like(y)
    PUT({"score": scored.k(prompt_ids, y, out, y.shape[0], prompt_ids.shape[1], y.shape[1], GET("score"))})
    return out


def replacement_func():
    return wrapper
