"""A source of toy models: one that works, and one for each way in which a model can fail."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import torch

from passnet.dataset.models.building import ModelRecipe, first_working
from passnet.dataset.models.source import Case, Domain, Method
from tests.dataset.dataset_toys import Breaks, Residual


class RaisesInForward(torch.nn.Module):
    def forward(self, x):
        raise KeyError("no such layer")


class FailsAfterABreak(torch.nn.Module):
    """One good graph, then an error that no trial run sees: only the second call fails."""

    def __init__(self):
        super().__init__()
        self.calls = 0

    def forward(self, x):
        y = torch.relu(x) * 2
        torch._dynamo.graph_break()
        self.calls += 1
        if self.calls > 1:
            raise ValueError("too late at /home/someone/models/late.py")
        return y + 1


class BranchesOnValues(torch.nn.Module):
    """Real values decide, so fake and meta tensors cannot."""

    def __init__(self):
        super().__init__()
        self.threshold = float(torch.ones(2).sum().item())

    def forward(self, x):
        return x + self.threshold


class Recurrent(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = torch.nn.GRU(4, 8, batch_first=True)

    def forward(self, x):
        return self.layer(x)[0]


class Constant(torch.nn.Module):
    def forward(self, x):
        return x * 0 + 3


class Indexed(torch.nn.Module):
    """Integer inputs of which fake capture knows no values: token ids and an index buffer."""

    def __init__(self):
        super().__init__()
        self.table = torch.nn.Embedding(50, 8)
        self.register_buffer("places", torch.zeros(200, dtype=torch.int64))

    def forward(self, ids):
        return self.table(ids)[:, self.places.view(-1)]


class Pixels(torch.nn.Module):
    """Bytes of which fake capture knows no values: an image, and places that an image of few colours names."""

    def __init__(self):
        super().__init__()
        self.table = torch.nn.Embedding(50, 8)
        self.register_buffer("colours", torch.zeros(200, dtype=torch.uint8))

    def forward(self, image):
        return (image.float() / 255 - 0.5)[..., None] * self.table(self.colours.long()).sum(0)


def huge():
    raise MemoryError("cannot allocate")


CALLS: dict[str, tuple[Callable[[], torch.nn.Module], Callable[[], torch.Tensor]]] = {
    "residual": (lambda: Residual(4), lambda: torch.randn(2, 4, 6, 6)),
    "breaks": (Breaks, lambda: torch.randn(7)),
    "raises": (RaisesInForward, lambda: torch.randn(3)),
    "late": (FailsAfterABreak, lambda: torch.randn(3)),
    "values": (BranchesOnValues, lambda: torch.randn(3)),
    "recurrent": (Recurrent, lambda: torch.randn(2, 5, 4)),
    "constant": (Constant, lambda: torch.randn(3)),
    "indexed": (Indexed, lambda: torch.randint(0, 50, (2, 30))),
    "pixels": (Pixels, lambda: torch.randint(0, 256, (2, 12, 12), dtype=torch.uint8)),
    "huge": (huge, lambda: torch.randn(3)),
}


class ToyModels:
    """The toys behind the protocol of the real libraries."""

    library = "timm"

    def names(self) -> Sequence[str]:
        return sorted(CALLS)

    def family(self, name: str) -> str:
        return "toy"

    def domain(self, name: str) -> Domain:
        return "other"

    def methods(self, name: str) -> Sequence[Method]:
        return ("real", "fake", "meta")

    def build(self, name: str, method: Method) -> Case:
        model, call = CALLS[name]
        return first_working(name, method, [ModelRecipe(model, lambda: ((call(),), {}))])
