"""A careful draw in which pairs of integers come a second time with their numbers exchanged, as edges of graphs do.

Of pairs that are drawn one by one from many numbers hardly any is another one's reverse.
"""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

import torch

from passnet.bench.draws.content.drawn_content import Contents, Turn, content_draws
from passnet.bench.draws.content.input_source import Backgrounds, InputSource
from passnet.graph.values.origins import InputPart
from passnet.graph.values.reversed_pairs import LEAST_PAIRS, Reversed, reversed_of

if TYPE_CHECKING:
    from passnet.graph import Graph

# Such a share of the pairs are others' reverses, in each of the draws one of these. As many are others as they are, and
# as many are reverses but for one of both numbers.
_SHARES = ((0.02, 0.06), (0.08, 0.15), (0.15, 0.25))


def reversed_pairs(graph: Graph, usual: Backgrounds, rng: Random) -> list[list[InputSource]]:
    """Three draws, or none where a graph compares no two inputs in both roles."""
    return content_draws(graph, usual, rng, reversed_of(graph), _write)


def _write(contents: Contents, each: Reversed, turn: Turn, rng: Random) -> None:
    views = [_view(contents[part.index].values, part) for part in (each.one, each.other)]
    length = views[0].shape[-1] if views[0].shape[-1] >= LEAST_PAIRS else views[0].numel()
    one, other = (view.reshape(-1, length).clone() for view in views)
    count = max(1, int(rng.uniform(*_SHARES[turn[2] % len(_SHARES)]) * length))
    drawn = torch.Generator().manual_seed(rng.getrandbits(48))
    order = torch.rand(one.shape, generator=drawn).argsort(-1)
    given, exchanged, again, half = order[:, : LEAST_PAIRS * count].chunk(LEAST_PAIRS, 1)
    first, second = one.gather(1, given), other.gather(1, given)
    one.scatter_(1, exchanged, second).scatter_(1, again, first).scatter_(1, half, second)
    other.scatter_(1, exchanged, first).scatter_(1, again, second)
    for part, view, made in zip((each.one, each.other), views, (one, other), strict=True):
        view.copy_(contents[part.index].within(made.view(view.shape), view))


def _view(values: torch.Tensor, part: InputPart) -> torch.Tensor:
    return values if part.dim < 0 else values.select(part.dim, part.place)
