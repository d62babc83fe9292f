"""Graphs of the corpus that mix neighbours, as convolutions do. Parameters, lines and shapes."""

from __future__ import annotations

GRAPHS: dict[str, tuple[str, tuple[str, ...], dict[str, tuple[int, ...]]]] = {
    "loss_of_edges": (
        "x, y, L_self_modules_edges_parameters_weight_",
        (
            "d = x - y", "z = torch.conv2d(d, L_self_modules_edges_parameters_weight_)", "a = z.abs()",
            "loss = a.mean()", "return (loss,)",
        ),
        {"x": (1, 3, 96, 96), "y": (1, 3, 96, 96), "L_self_modules_edges_parameters_weight_": (16, 3, 3, 3)},
    ),
}  # fmt: skip
BOUNDS: dict[str, dict[str, float]] = {"L_self_modules_edges_parameters_weight_": {"mean": 0.0, "std": 0.2}}
DTYPES = {"loss_of_edges": "bfloat16"}
