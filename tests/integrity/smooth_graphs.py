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
    "edges_of_each": (
        "x, exposure, L_self_modules_edges_parameters_weight_",
        (
            "y = x * exposure", "z = torch.conv2d(y, L_self_modules_edges_parameters_weight_)", "a = z.abs()",
            "edges = a.mean((1, 2, 3))", "return (edges,)",
        ),
        {"x": (16, 3, 96, 96), "exposure": (16, 1, 1, 1), "L_self_modules_edges_parameters_weight_": (16, 3, 3, 3)},
    ),
    "loss_of_spectra": (
        "x, y",
        (
            "a = x.float()", "b = y.float()", "f = torch._C._fft.fft_rfft(a)", "g = torch._C._fft.fft_rfft(b)",
            "p = f.abs()", "q = g.abs()", "d = p - q", "e = d.abs()", "m = e.mean()",
            "loss = m.to(torch.bfloat16)", "return (loss,)",
        ),
        {"x": (1024, 512), "y": (1024, 512)},
    ),
}  # fmt: skip
BOUNDS: dict[str, dict[str, float]] = {"L_self_modules_edges_parameters_weight_": {"mean": 0.0, "std": 0.2}}
DTYPES = dict.fromkeys(GRAPHS, "bfloat16")
