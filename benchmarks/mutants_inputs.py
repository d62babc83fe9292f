"""Inputs that owe nothing to the judge's draws, for `mutants.py`: simple families, each input of one by chance.

Weights keep the numbers of the judge's usual draws: nobody's are a thousand times as large as those of the model.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import torch

from passnet.graph import Graph
from passnet.graph.values.roles import Role, roles_of

# How often any other input keeps them too.
_KEPT = 0.4
_SCALES = (1e-3, 0.03, 1.0, 1.0, 1.0, 5.0, 30.0, 200.0)
_SHARES = (0.0, 0.1, 0.5, 0.9, 1.0)


def other_inputs(graph: Graph, usual: Sequence[torch.Tensor], rng: Random) -> list[torch.Tensor]:
    """Inputs of the same shapes and dtypes. `usual`: some that the graph takes."""
    generator = torch.Generator().manual_seed(rng.getrandbits(48))
    roles = zip(usual, roles_of(graph.program, graph.specs), strict=True)
    return [_other(each, rng, generator) if role == Role.DATA else each.clone() for each, role in roles]


def _other(usual: torch.Tensor, rng: Random, generator: torch.Generator) -> torch.Tensor:
    if usual.dtype == torch.bool:
        return _marks(usual, rng, generator)
    if rng.random() < _KEPT or usual.is_complex() or not usual.numel():
        return usual.clone()
    if not usual.is_floating_point():
        return _integers(usual, rng, generator)
    return _floats(usual, rng, generator)


def _ends(usual: torch.Tensor, generator: torch.Generator) -> torch.Tensor:
    """True up to a place of each row that is drawn."""
    length = usual.shape[-1]
    ends = torch.randint(0, length + 1, (*usual.shape[:-1], 1), generator=generator)
    return torch.arange(length) < ends


def _marks(usual: torch.Tensor, rng: Random, generator: torch.Generator) -> torch.Tensor:
    if usual.dim() and rng.random() < 0.5:
        return _ends(usual, generator).expand(usual.shape).clone()
    return torch.rand(usual.shape, generator=generator) < rng.choice(_SHARES)


def _integers(usual: torch.Tensor, rng: Random, generator: torch.Generator) -> torch.Tensor:
    low, high = int(usual.min()), int(usual.max())
    made = torch.randint(low, high + 1, usual.shape, generator=generator)
    way = rng.randrange(4)
    if way == 0:
        made = torch.full(usual.shape, rng.choice((low, high)))
    elif way == 1 and usual.dim():
        made = torch.where(_ends(usual, generator), made, torch.tensor(rng.choice((0, 1, low, high))))
    elif way == 2 and not 0 <= low <= high <= 1:  # a mark is nothing else
        made = made * rng.choice((-1, 2, 1000))
    return made.to(usual.dtype)


def _floats(usual: torch.Tensor, rng: Random, generator: torch.Generator) -> torch.Tensor:
    scale = rng.choice(_SCALES)
    made = torch.randn(usual.shape, generator=generator) * scale
    way = rng.randrange(12)
    if way == 0:
        made = made.abs()
    elif way == 1:
        made = -made.abs()
    elif way == 2:
        made = made + rng.choice((-1, 1)) * rng.choice((3, 50, 500)) * scale
    elif way == 3:
        made = made * (torch.rand(usual.shape, generator=generator) < 0.1)
    elif way == 4 and usual.dim():
        made = made[..., :1].expand(usual.shape).clone()
    elif way == 5 and usual.dim() and usual.shape[0] > 1:
        made[rng.randrange(usual.shape[0])] *= rng.choice((30.0, 0.01))
    elif way == 6:
        made = made.round()
    elif way == 7:
        made = torch.zeros(usual.shape)
    return made.to(usual.dtype)
