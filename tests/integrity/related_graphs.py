"""Graphs of the corpus whose rows, or steps, have to do with each other. Parameters, lines and shapes."""

from __future__ import annotations

_STEPS = 48


def _gated() -> tuple[str, ...]:
    """A scan with gates: of each state a share stays, and what is read is added."""
    lines = ["g = torch.sigmoid(gate)", "h0 = read[(slice(None, None, None), 0)]"]
    for step in range(1, _STEPS):
        at = f"[(slice(None, None, None), {step})]"
        lines += [f"g{step} = g{at}", f"x{step} = read{at}", f"k{step} = h{step - 1} * g{step}"]
        lines += [f"h{step} = k{step} + x{step}"]
    return (*lines, f"return (h{_STEPS - 1},)")


GRAPHS: dict[str, tuple[str, tuple[str, ...], dict[str, tuple[int, ...]]]] = {
    "partners_named": (
        "x, y",
        (
            "c = y.t()", "s = torch.matmul(x, c)", "z = s / 11.3137085", "at = torch.arange(1024)",
            "out = torch.nn.functional.cross_entropy(z, at)", "return (out,)",
        ),
        {"x": (1024, 128), "y": (1024, 128)},
    ),
    "two_towers": (
        "pictures, texts, L_self_modules_of_pictures_parameters_weight_, L_self_modules_of_texts_parameters_weight_",
        (
            "a = torch.nn.functional.linear(pictures, L_self_modules_of_pictures_parameters_weight_)",
            "b = torch.nn.functional.linear(texts, L_self_modules_of_texts_parameters_weight_)",
            "u = torch.nn.functional.normalize(a, dim = -1)", "v = torch.nn.functional.normalize(b, dim = -1)",
            "c = v.t()", "s = torch.matmul(u, c)", "z = s * 14.285714", "at = torch.arange(512)",
            "one = torch.nn.functional.cross_entropy(z, at)", "y = z.t()",
            "other = torch.nn.functional.cross_entropy(y, at)", "both = one + other", "out = both / 2",
            "return (out,)",
        ),
        {
            "pictures": (512, 256), "texts": (512, 256), "L_self_modules_of_pictures_parameters_weight_": (192, 256),
            "L_self_modules_of_texts_parameters_weight_": (192, 256),
        },
    ),
    "gated_scan": ("gate, read", _gated(), {"gate": (16, _STEPS, 256), "read": (16, _STEPS, 256)}),
    "sum_of_singular_values": (
        "x",
        (
            "a = x.float()", "n = torch.linalg.matrix_norm(a, ord = 'nuc')", "out = n.to(torch.bfloat16)",
            "return (out,)",
        ),
        {"x": (512, 96)},
    ),
}  # fmt: skip
BOUNDS: dict[str, dict[str, float]] = {
    "L_self_modules_of_pictures_parameters_weight_": {"mean": 0.0, "std": 0.0625},
    "L_self_modules_of_texts_parameters_weight_": {"mean": 0.0, "std": 0.0625},
}
DTYPES = {"partners_named": "bfloat16", "two_towers": "bfloat16", "sum_of_singular_values": "bfloat16"}
