"""Graphs of the corpus in which indices meet what lies along them: kinds, labels, edges. Parameters, lines, shapes."""

from __future__ import annotations

GRAPHS: dict[str, tuple[str, tuple[str, ...], dict[str, tuple[int, ...]]]] = {
    "loss_by_kind": (
        "kind_of, losses, factors",
        ("f = factors[kind_of]", "w = f * losses", "m = w.mean()", "out = m.to(torch.bfloat16)", "return (out,)"),
        {"kind_of": (65536,), "losses": (65536,), "factors": (16,)},
    ),
    "cost_of_mistakes": (
        "truth_ids, answer_ids, cost",
        ("c = cost[(truth_ids, answer_ids)]", "m = c.mean()", "out = m.to(torch.bfloat16)", "return (out,)"),
        {"truth_ids": (262144,), "answer_ids": (262144,), "cost": (64, 64)},
    ),
    "loss_of_links": (
        "z, joined",
        (
            "i = joined[0]", "j = joined[1]", "a = z[i]", "b = z[j]", "p = a * b", "s = p.sum(-1)",
            "l = torch.nn.functional.softplus(s)", "m = l.mean()", "out = m.to(torch.bfloat16)", "return (out,)",
        ),
        {"z": (4096, 32), "joined": (2, 65536)},
    ),
}  # fmt: skip
INTEGERS = frozenset({"kind_of", "truth_ids", "answer_ids", "joined"})
BOUNDS: dict[str, dict[str, float]] = {
    "kind_of": {"min_val": 0, "max_val": 15},
    "losses": {"mean": 2.0, "std": 1.5, "min_val": 0.0},
    "factors": {"mean": 1.0, "std": 0.5},
    "truth_ids": {"min_val": 0, "max_val": 63},
    "answer_ids": {"min_val": 0, "max_val": 63},
    "joined": {"min_val": 0, "max_val": 4095},
    "cost": {"mean": 1.0, "std": 0.25},
}
