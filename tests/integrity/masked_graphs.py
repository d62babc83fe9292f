"""Graphs of the corpus whose inputs are scores with a mask in them, or a mask of a small number."""

from __future__ import annotations

import math

_SOFTMAX = "out = torch.softmax({}, dim = -1)"
GRAPHS: dict[str, tuple[str, tuple[str, ...], dict[str, tuple[int, ...]]]] = {
    "next_allowed": (
        "veiled_logits", ("out = torch.argmax(veiled_logits, dim = -1)", "return (out,)"),
        {"veiled_logits": (8, 8192)},
    ),
    "softmax_of_shaded": (
        "shaded_scores", (_SOFTMAX.format("shaded_scores"), "return (out,)"), {"shaded_scores": (1024, 256)}
    ),
    "softmax_of_veiled": (
        "veiled_scores", (_SOFTMAX.format("veiled_scores"), "return (out,)"), {"veiled_scores": (1024, 256)}
    ),
    "shifted_windows": (
        "x, window_mask", ("y = x + window_mask", _SOFTMAX.format("y"), "return (out,)"),
        {"x": (16, 3, 49, 49), "window_mask": (16, 1, 49, 49)},
    ),
}  # fmt: skip
SHADES, VEILS = frozenset({"shaded_scores", "window_mask"}), frozenset({"veiled_logits", "veiled_scores"})
BOUNDS: dict[str, dict[str, float]] = {
    "shaded_scores": {"mean": -1.7e38, "std": 1.7e38},
    **{name: {"mean": -math.inf, "std": math.nan} for name in VEILS},
    # Of 0 and -100.
    "window_mask": {"mean": -22.9904, "std": 42.0777},
}
