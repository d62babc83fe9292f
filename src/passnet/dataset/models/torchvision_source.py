"""Every model of torchvision with random weights. Inputs: images, clips, pairs of frames, lists of images."""

from __future__ import annotations

import functools
import importlib
import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import torch

from passnet.dataset.models import families, torchvision_shim
from passnet.dataset.models.building import BATCH, Call, ModelRecipe, first_working
from passnet.dataset.models.source import Case, Domain, Method, Options
from passnet.errors import MissingExtra

_HOME = "torchvision.models."


@dataclass(frozen=True)
class _Shape:
    """One size to try: options of the constructor and the shape of the input."""

    input: tuple[int, ...]
    options: Options = field(default_factory=dict)


def _images(pixels: int, **options: object) -> _Shape:
    return _Shape((BATCH, 3, pixels, pixels), options)


def _clip(frames: int, pixels: int, **options: object) -> _Shape:
    return _Shape((BATCH, 3, frames, pixels, pixels), options)


# Detectors resize their images. Their own 800 pixels would only make the feature maps larger.
_SMALL = {"min_size": 128, "max_size": 192}
# Start of the name -> sizes to try, smallest first. Fake and meta capture take the last. The longest start wins.
_SHAPES: Mapping[str, tuple[_Shape, ...]] = {
    "": (_images(112), _images(224)),
    "inception": (_images(150), _images(299)),
    "quantized_inception": (_images(150), _images(299)),
    "vit_": (_images(112, image_size=112), _images(224)),
    "maxvit": (_images(224),),
    **dict.fromkeys(("fasterrcnn", "maskrcnn", "keypointrcnn", "retinanet", "fcos"), (_images(128, **_SMALL),)),
    "raft": (_images(128), _images(256)),
    "swin3d": (_clip(8, 112), _clip(16, 224)),
    "mvit": (_clip(8, 112, spatial_size=(112, 112), temporal_size=8), _clip(16, 224)),
    "r3d": (_clip(8, 56), _clip(16, 112)),
    "r2plus1d": (_clip(8, 56), _clip(16, 112)),
    "mc3": (_clip(8, 56), _clip(16, 112)),
    "s3d": (_clip(16, 112), _clip(16, 224)),
}  # fmt: skip
_NO_INIT = ("inception_v3", "googlenet", "quantized_inception_v3", "quantized_googlenet")


class TorchvisionSource:
    """Adapter of torchvision's registry of models."""

    library = "torchvision"

    def names(self) -> Sequence[str]:
        """All models, sorted. Errors: UsageError when torchvision cannot be imported."""
        found: list[str] = _models().list_models()
        return sorted(found)

    def family(self, name: str) -> str:
        """The family from the name if possible, else from the file of torchvision that defines the model."""
        return families.of_model(name.removeprefix("quantized_"), _home(name).rpartition(".")[2])

    def domain(self, name: str) -> Domain:
        """All see images or clips."""
        return "computer_vision"

    def methods(self, name: str) -> Sequence[Method]:
        """Real first. Detection stays real, because the number of boxes depends on values."""
        return ("real",) if _kind(name) == "detection" else ("real", "fake", "meta")

    def build(self, name: str, method: Method) -> Case:
        """The smallest size that runs. Fake and meta models have their own size."""
        kind = _kind(name)
        if kind == "detection":
            _provide_suppression()
        start = max((start for start in _SHAPES if name.startswith(start)), key=len)
        shapes = _SHAPES[start] if method == "real" else _SHAPES[start][-1:]
        call = _CALLS.get(kind, _one)
        recipes = [
            ModelRecipe(functools.partial(_create, name, shape.options), functools.partial(call, shape.input))
            for shape in shapes
        ]
        return first_working(name, method, recipes)


def _create(name: str, options: Options) -> torch.nn.Module:
    no_weights: dict[str, object] = {"weights": None}
    if _kind(name) in {"detection", "segmentation"}:
        no_weights["weights_backbone"] = None
    if name in _NO_INIT:
        no_weights["init_weights"] = False
    model: torch.nn.Module = _models().get_model(name, **no_weights, **options)
    return model


def _one(shape: tuple[int, ...]) -> Call:
    return (torch.randn(shape),), {}


def _pair(shape: tuple[int, ...]) -> Call:
    """Two frames and few refinement steps. The steps are all the same."""
    return (torch.rand(shape) * 2 - 1, torch.rand(shape) * 2 - 1), {"num_flow_updates": 2}


def _list(shape: tuple[int, ...]) -> Call:
    return ([torch.rand(shape[1:]) for _ in range(shape[0])],), {}


_CALLS: Mapping[str, Callable[[tuple[int, ...]], Call]] = {"detection": _list, "optical_flow": _pair}


def _home(name: str) -> str:
    found: str = _models().get_model_builder(name).__module__
    return found


def _kind(name: str) -> str:
    """The folder of torchvision's models that the model is in, "" for plain classification."""
    folder, _, file = _home(name).removeprefix(_HOME).rpartition(".")
    return folder if file else ""


@functools.cache
def _models() -> Any:
    torchvision_shim.prepare()
    try:
        import torchvision
    except (ImportError, RuntimeError) as error:
        raise MissingExtra("the source", "torchvision", reason=str(error)) from error
    return torchvision.models


@functools.cache
def _provide_suppression() -> torch.library.Library | None:
    """Give non-maximum suppression a plain implementation where torchvision's own library is absent.

    Returns the registration, which must stay alive, or None where nothing is missing. Pooling of regions needs none:
    torchvision falls back to tensor operations, here without compiling them first.
    """
    if torch._C._dispatch_has_kernel_for_dispatch_key("torchvision::nms", "CPU"):
        return None
    boxes: Any = importlib.import_module("torchvision.ops.boxes")
    pooling: Any = importlib.import_module("torchvision.ops.roi_align")
    library = torch.library.Library("torchvision", "IMPL")  # type: ignore[no-untyped-call]
    library.impl("nms", _suppress, "CPU")  # type: ignore[no-untyped-call]
    boxes._assert_has_ops = lambda: None
    pooling._roi_align = inspect.unwrap(pooling._roi_align)
    return library


def _suppress(boxes: torch.Tensor, scores: torch.Tensor, threshold: float) -> torch.Tensor:
    """Indices of boxes that overlap no better one by more than `threshold` (intersection over union), best first.

    `boxes` [N, 4] are corners x1, y1, x2, y2. `scores` is [N].
    """
    order = scores.argsort(descending=True, stable=True)
    areas = (boxes[:, 2] - boxes[:, 0]) * (boxes[:, 3] - boxes[:, 1])
    kept: list[torch.Tensor] = []
    while order.numel():
        best, order = order[0], order[1:]
        kept.append(best)
        corners = torch.minimum(boxes[best, 2:], boxes[order, 2:]) - torch.maximum(boxes[best, :2], boxes[order, :2])
        common = corners.clamp(min=0).prod(dim=1)
        order = order[common <= threshold * (areas[best] + areas[order] - common)]
    return torch.stack(kept) if kept else torch.empty(0, dtype=torch.int64)
