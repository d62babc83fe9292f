"""Finds wrappers that write into their arguments, whatever writes: contents are compared, not version counters."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

import torch

from passnet.rewrite.apply.replace import leaves

# Of each argument so many bytes are kept, at a drawn place. The memory for them is kept too: a wrapper could feel it
# if it came and went.
_MOST_BYTES = 1 << 20
_WORD = 8


class ArgumentWindows:
    """A part of each argument of a call, before the call, and which of these parts it changed."""

    def __init__(self) -> None:
        self._rooms: dict[tuple[int, torch.device], torch.Tensor] = {}
        self._kept: list[tuple[int, torch.Tensor, torch.Tensor]] = []
        self._chance = random.SystemRandom()

    def keep(self, args: Sequence[Any], written: Sequence[int]) -> None:
        """Keep a part of each argument that shares no memory with those whose places are in `written`."""
        self._kept.clear()
        places = [(place, leaf) for place, leaf in enumerate(leaves(args)) if _has_memory(leaf)]
        free = {tensor.untyped_storage().data_ptr() for place, tensor in places if place in written}
        for place, tensor in places:
            if tensor.untyped_storage().data_ptr() not in free:
                window = self._window(tensor)
                room = self._room(place, window)
                room.copy_(window)
                self._kept.append((place, window, room))

    def changed(self) -> list[int]:
        """Places of arguments of which what was kept is another now. Nothing is held afterwards."""
        found = [place for place, window, room in self._kept if not torch.equal(window, room)]
        self._kept.clear()
        return found

    def _window(self, tensor: torch.Tensor) -> torch.Tensor:
        """Some of a tensor's bytes, as whole words where they are."""
        start = tensor.storage_offset() * tensor.element_size()
        reach = sum((size - 1) * step for size, step in zip(tensor.shape, tensor.stride(), strict=True))
        size = min((reach + 1) * tensor.element_size(), tensor.untyped_storage().nbytes() - start)
        kind, width = (torch.uint8, 1) if start % _WORD or size % _WORD else (torch.int64, _WORD)
        count = min(size, _MOST_BYTES) // width
        first = start // width + self._chance.randint(0, size // width - count)
        empty = torch.empty(0, dtype=kind, device=tensor.device)
        return empty.set_(tensor.untyped_storage(), first, (count,), (1,))

    def _room(self, place: int, window: torch.Tensor) -> torch.Tensor:
        key = (place, window.device)
        if key not in self._rooms:
            self._rooms[key] = torch.empty(_MOST_BYTES, dtype=torch.uint8, device=window.device)
        return self._rooms[key][: window.nbytes].view(window.dtype)


def _has_memory(value: object) -> bool:
    return isinstance(value, torch.Tensor) and value.layout is torch.strided and value.numel() > 0
