"""Makes `import torchvision` work with a torch without CUDA: declares the operators of its CUDA library."""

from __future__ import annotations

import functools
import importlib.util
from pathlib import Path

import torch

_ROI = "Tensor input, Tensor rois, float spatial_scale"
_POOLED = "SymInt pooled_height, SymInt pooled_width"
_SIZES = "SymInt batch_size, SymInt channels, SymInt height, SymInt width"
_GRAD = "Tensor grad, Tensor rois"
_DEFORM = (
    "Tensor input, Tensor weight, Tensor offset, Tensor mask, Tensor bias, SymInt stride_h, SymInt stride_w, "
    "SymInt pad_h, SymInt pad_w, SymInt dilation_h, SymInt dilation_w, SymInt groups, SymInt offset_groups, "
    "bool use_mask"
)
SCHEMAS = (
    "nms(Tensor dets, Tensor scores, float iou_threshold) -> Tensor",
    "qnms(Tensor dets, Tensor scores, float iou_threshold) -> Tensor",
    f"roi_align({_ROI}, {_POOLED}, int sampling_ratio, bool aligned) -> Tensor",
    f"roi_pool({_ROI}, {_POOLED}) -> (Tensor, Tensor)",
    f"ps_roi_align({_ROI}, {_POOLED}, int sampling_ratio) -> (Tensor, Tensor)",
    f"ps_roi_pool({_ROI}, {_POOLED}) -> (Tensor, Tensor)",
    f"deform_conv2d({_DEFORM}) -> Tensor",
    f"_roi_align_backward({_GRAD}, float spatial_scale, {_POOLED}, {_SIZES}, int sampling_ratio, bool aligned)"
    " -> Tensor",
    f"_roi_pool_backward({_GRAD}, Tensor argmax, float spatial_scale, {_POOLED}, {_SIZES}) -> Tensor",
    f"_ps_roi_align_backward({_GRAD}, Tensor channel_mapping, float spatial_scale, {_POOLED}, int sampling_ratio,"
    f" {_SIZES}) -> Tensor",
    f"_ps_roi_pool_backward({_GRAD}, Tensor channel_mapping, float spatial_scale, {_POOLED}, {_SIZES}) -> Tensor",
    f"_deform_conv2d_backward(Tensor grad, {_DEFORM}) -> (Tensor, Tensor, Tensor, Tensor, Tensor)",
)


@functools.cache
def prepare() -> torch.library.Library | None:
    """Declare the operators, once, before torchvision is imported for the first time.

    This is needed only where torchvision's own library does not load, for example its CUDA build beside a torch for the
    CPU. Its registration of fake kernels then fails because the operators are missing. Nothing here computes, and
    models that call these operators cannot run. Returns the library (it must stay alive), or None where nothing had to
    be done.
    """
    if hasattr(torch.ops.torchvision, "nms") or _loads():
        return None
    library = torch.library.Library("torchvision", "DEF")  # type: ignore[no-untyped-call]
    for schema in SCHEMAS:
        library.define(schema)  # type: ignore[no-untyped-call]
    return library


def _loads() -> bool:
    """Whether torchvision brings its operators itself, or is not installed at all."""
    spec = importlib.util.find_spec("torchvision")
    if spec is None or spec.origin is None:
        return True
    for path in Path(spec.origin).parent.glob("_C*.so"):
        try:
            torch.ops.load_library(str(path))  # type: ignore[no-untyped-call]
        except OSError:
            continue
        return True
    return False
