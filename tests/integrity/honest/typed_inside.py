"""A helper inside the wrapper has types, as does a record that it makes.

Graph: scale_gelu
Level: strict
"""

from typing import Dict, List, Literal, Optional, Tuple

import torch
from base import pattern, replacement_args
from kernel import library


@torch.fx.wrap
def wrapper(x: torch.Tensor, w: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
    def sizes(shape: Tuple[int, ...], options: Optional[Dict[str, int]] = None) -> Tuple[int, Literal[-1, 1]]:
        def product(parts: "List[int]", *more: Optional[Tuple[int, str]]) -> int:
            total: Optional[int] = 1
            for part in parts:
                total *= part
            return total

        return product(list(shape)), 1

    count, step = sizes(tuple(x.shape))
    out = torch.empty_like(x)
    library.scale_gelu(x, w, b, out, count * step, x.shape[-1])
    return out


def replacement_func():
    return wrapper
