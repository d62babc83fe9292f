"""Graphs of the corpus whose steps follow each other: each one begins with what the step before gave."""

from __future__ import annotations

_STEPS = 16


def _tags() -> tuple[str, ...]:
    """The forward algorithm of a tagger: the logarithm of the sum over all sequences of tags."""
    lines = ["a0 = emissions[0]"]
    for step in range(1, _STEPS):
        lines += [f"e{step} = emissions[{step}]", f"u{step} = a{step - 1}.unsqueeze(2)"]
        lines += [f"s{step} = u{step} + transitions", f"l{step} = torch.logsumexp(s{step}, dim=1)"]
        lines += [f"a{step} = l{step} + e{step}"]
    return (*lines, f"out = torch.logsumexp(a{_STEPS - 1}, dim=1)", "return (out,)")


def _cell() -> tuple[str, ...]:
    """A cell that is unrolled: each state is the last one times a weight, and what is read."""
    lines = ["h0 = torch.tanh(start)"]
    for step in range(1, _STEPS):
        lines += [
            f"x{step} = read[(slice(None, None, None), {step - 1})]",
            f"m{step} = torch.matmul(h{step - 1}, kept)",
        ]
        lines += [f"s{step} = m{step} + x{step}", f"h{step} = torch.tanh(s{step})"]
    return (*lines, f"return (h{_STEPS - 1},)")


def _visits() -> tuple[str, ...]:
    """A walk on a graph: where it is after some steps, if each begins anew in a share of all cases."""
    lines = ["p0 = torch.softmax(begin, -1)", "w = torch.softmax(links, -1)", "again = p0 * 0.15"]
    for step in range(1, _STEPS):
        lines += [f"q{step} = torch.matmul(p{step - 1}, w)", f"r{step} = q{step} * 0.85", f"p{step} = r{step} + again"]
    return (*lines, f"return (p{_STEPS - 1},)")


GRAPHS: dict[str, tuple[str, tuple[str, ...], dict[str, tuple[int, ...]]]] = {
    "tags_in_order": (
        "emissions, transitions", _tags(), {"emissions": (_STEPS, 16, 64), "transitions": (64, 64)}
    ),
    "cell_unrolled": ("read, start, kept", _cell(), {"read": (32, _STEPS, 64), "start": (32, 64), "kept": (64, 64)}),
    "visits": ("begin, links", _visits(), {"begin": (8, 128), "links": (128, 128)}),
}  # fmt: skip
BOUNDS: dict[str, dict[str, float]] = {
    "transitions": {"mean": 0.0, "std": 0.5},
    "kept": {"mean": 0.0, "std": 0.1},
}
DTYPES = {"tags_in_order": "bfloat16"}
