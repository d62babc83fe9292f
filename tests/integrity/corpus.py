"""The corpus as data: cheats with what their docstrings say of them, honest passes, and the graphs they are for."""

from __future__ import annotations

import ast
import importlib.util
import json
import math
import shutil
from collections.abc import Iterable
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

import torch
from packaging.version import Version

from passnet.graph import Graph, TensorSpec
from tests.integrity import (
    chosen_graphs,
    grouped_graphs,
    integer_graphs,
    looked_for_graphs,
    lost_graphs,
    masked_graphs,
    part_graphs,
    placed_graphs,
    related_graphs,
    smooth_graphs,
    step_graphs,
    stored_graphs,
)
from tests.integrity.endings import EndingError, Endings, read_endings

HERE = Path(__file__).resolve().parent
CHEATS, HONEST, SHARED = HERE / "cheats", HERE / "honest", HERE / "shared"
# Mistakes near an honest pass that has some freedom. They win nowhere.
WRONG = HERE / "wrong"
_META = {"framework": "torch", "num_devices_required": 1, "num_nodes_required": 1}
# What a docstring says under its first paragraph, one `Field: value` a line.
_ANY = {"Graph": True, "Level": True, "Needs": False, "Variant": False}
FIELDS: dict[Path, dict[str, bool]] = {
    CHEATS: {**_ANY, "Class": True, "Wins": True, "Caught by": True, "Ends as": True, "Inside Inductor": False},
    HONEST: {**_ANY, "Unseen": False, "Captured": False},
    WRONG: {**_ANY, "Ends as": True},
}
# What `Caught by` may say, and the layer of a record that it stands for: which refuses the text, or else what is run.
CAUGHT_BY = {
    "source policy": None,
    "kernel source": "source policy",
    "run-time guard": "run-time guard",
    "output truth": "output truth",
    "clock truth": "clock truth",
    "proof of work": "proof of work",
    "no layer": None,  # the trick does not reach what it aims at, and the pass is judged by what it computes
}


@dataclass(frozen=True)
class Entry:
    """One pass file of the corpus on one graph: its trick in words, and the fields under it."""

    path: Path
    trick: str
    fields: dict[str, str]
    graph: str

    @property
    def name(self) -> str:
        several = "," in self.fields["Graph"]
        return f"{self.path.parent.name}/{self.path.stem}" + (f" on {self.graph}" if several else "")

    @property
    def level(self) -> str:
        return self.fields["Level"]

    @property
    def refused_as_text(self) -> bool:
        return self.fields["Caught by"] == "source policy"

    @property
    def endings(self) -> Endings:
        """How a cheat must end when it is run, whatever the source policy says of its text."""
        return read_endings(self.fields["Ends as"])

    @property
    def endings_inside_inductor(self) -> Endings:
        return read_endings(self.fields.get("Inside Inductor", self.fields["Ends as"]))

    @property
    def variant(self) -> str | None:
        """A graph of other shapes that belongs to the same task."""
        return self.fields.get("Variant")

    @property
    def on_gpu(self) -> bool:
        return self.fields.get("Needs") == "gpu"

    @property
    def missing(self) -> str | None:
        """What it needs and this machine lacks: a module, or a release of it (`torch>=2.12`)."""
        name, _, least = self.fields.get("Needs", "").partition(">=")
        if not name or self.on_gpu:
            return None
        if importlib.util.find_spec(name) is None:
            return f"{name} is not installed"
        here = metadata.version(name)
        return f"{name} {least} is needed, this is {here}" if least and Version(here) < Version(least) else None

    @property
    def is_captured(self) -> bool:
        """Whether it is about calls that are captured as CUDA graphs."""
        return self.path.parent.name == "captured" or self.fields.get("Captured") == "yes"

    def pass_dir(self, directory: Path) -> Path:
        """A pass directory that holds this file as its only rule, with the shared modules that it imports."""
        directory.mkdir(parents=True)
        shutil.copyfile(self.path, directory / f"{self.path.stem}.py")
        for module in modules_of(self.path):
            shutil.copyfile(module, directory / module.name)
        (directory / "sorted_output_pass_rule_names.json").write_text(json.dumps([self.path.stem]))
        return directory


class CorpusError(ValueError):
    """Docstrings of the corpus that do not say what they must."""


def entries(root: Path) -> list[Entry]:
    """All entries below a root of `FIELDS`. CorpusError names every file whose docstring is not as it must be."""
    paths = sorted(root.rglob("*.py"))
    wrong = [f"{path.relative_to(root)}: {text}" for path in paths for text in wrong_in(path, FIELDS[root])]
    if wrong:
        raise CorpusError("\n".join([f"docstrings below {root.name}:", *wrong]))
    return [entry for path in paths for entry in _entries_of(path)]


def wrong_in(path: Path, known: dict[str, bool]) -> list[str]:
    """What is wrong with the docstring of a file, line by line and field by field."""
    lines = field_lines(path)
    names = [line.partition(": ")[0] for line in lines]
    no_field = [f"`{line}` is no `Field: value`" for line in lines if ": " not in line]
    twice = [f"field `{name}` is there twice" for name in sorted(set(names)) if names.count(name) > 1]
    return no_field + twice + mistakes(*docstring(path), known)


def mistakes(trick: str, fields: dict[str, str], known: dict[str, bool]) -> list[str]:
    """What is wrong with a docstring; `known`: the fields that there are, and whether each must be there."""
    said = f"the fields are {', '.join(known)}"
    found = [] if trick else ["the first paragraph, which says what the trick is, is missing"]
    found += [f"no field `{name}`; {said}" for name, needed in known.items() if needed and name not in fields]
    found += [f"unknown field `{name}`; {said}" for name in fields if name not in known]
    for name in ("Ends as", "Inside Inductor"):
        found += _wrong_ending(name, fields[name]) if name in fields else []
    return found or (_wrong_layer(fields) if "Caught by" in fields else [])


def _wrong_ending(name: str, text: str) -> list[str]:
    try:
        read_endings(text)
    except EndingError as error:
        return [f"field `{name}`: {error}"]
    return []


def _wrong_layer(fields: dict[str, str]) -> list[str]:
    """`Caught by` and what `Ends as` names first are of one layer, unless the text is refused."""
    caught = fields["Caught by"]
    if caught not in CAUGHT_BY:
        return [f"field `Caught by`: `{caught}` is none of {', '.join(CAUGHT_BY)}"]
    if caught != "source policy" and read_endings(fields["Ends as"]).ways[0].layer != CAUGHT_BY[caught]:
        return [f"caught by `{caught}`, but `Ends as: {fields['Ends as']}` is of another layer"]
    return []


def modules_of(path: Path) -> list[Path]:
    """The shared modules that a file imports by name."""
    nodes = [node for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.ImportFrom)]
    names = {(node.module or "").removeprefix("pass_dir.") for node in nodes}
    return [module for module in sorted(SHARED.glob("*.py")) if module.stem in names]


def docstring(path: Path) -> tuple[str, dict[str, str]]:
    """What a file says of itself: its first paragraph, and the fields under it."""
    trick, _, _ = _text(path).partition("\n\n")
    pairs = [line.partition(": ") for line in field_lines(path)]
    return " ".join(trick.split()), {key: value for key, _, value in pairs}


def field_lines(path: Path) -> list[str]:
    _, _, rest = _text(path).partition("\n\n")
    return [line for line in rest.splitlines() if line]


def _text(path: Path) -> str:
    return ast.get_docstring(ast.parse(path.read_text())) or ""


def _entries_of(path: Path) -> list[Entry]:
    trick, fields = docstring(path)
    return [Entry(path, trick, fields, graph) for graph in fields["Graph"].split(", ")]


def _source(arguments: str, *body: str) -> str:
    lines = "\n        ".join(body)
    return (
        f"import torch\n\nclass GraphModule(torch.nn.Module):\n\n    def forward(self, {arguments}):\n        {lines}\n"
    )


def _rounds(count: int) -> list[str]:
    """Four operators, so many times over."""
    steps = ("a{0} = torch.tanh({1})", "b{0} = torch.sin(a{0})", "c{0} = torch.nn.functional.gelu(b{0})",
             "x{0} = torch.sigmoid(c{0})")  # fmt: skip
    return [step.format(i, f"x{i - 1}" if i > 1 else "x") for i in range(1, count + 1) for step in steps]


_SCALE = _source("x, w, b", "y = x * w", "z = y + b", "y = None", "out = torch.nn.functional.gelu(z)", "return (out,)")
# Inputs of these names are of dtype bool, are integers of which nothing is known, which are 0 or 1 or were all 0 when
# the task was recorded, or have stored content, or are never negative, or are additive masks, or
# are probabilities. Graphs of these names are of another dtype.
_MASKS = frozenset({"m", "thin"})
_INTEGERS = frozenset(
    {"n", "labels", "packed", "bytes_", "times", "marks", "kinds", "grades", "words", "tokens", "spoken", "nearby"}
    | {"shown"}
    | grouped_graphs.INTEGERS
    | integer_graphs.INTEGERS
    | stored_graphs.INTEGERS
    | looked_for_graphs.INTEGERS
    | placed_graphs.INTEGERS
    | part_graphs.KINDS.keys()
    | stored_graphs.KINDS.keys()
)
_BOUNDS: dict[str, dict[str, float]] = {
    "six_numbers": {"mean": 0.0233183, "std": 1.0},
    "marks": {"min_val": 0, "max_val": 1},
    "kinds": {"min_val": 0, "max_val": 0},
    "shown": {"min_val": 1, "max_val": 1},
    "grades": {"min_val": 0, "max_val": 9},
    "words": {"min_val": 0, "max_val": 31},
    "tokens": {"min_val": 0, "max_val": 50256},
    "nearby": {"min_val": 0, "max_val": 7},
    "risen": {"min_val": 0},
    "running_var": {"min_val": 0},
    "shade": {"mean": -1e38, "std": 1e38},
    "veil": {"mean": -math.inf, "std": math.nan},
    "chance": {"mean": 0.5, "std": 0.25, "min_val": 0, "max_val": 1},
    "aim": {"mean": 0.5, "std": 0.25, "min_val": 0, "max_val": 1},
    "L_self_modules_act_parameters_weight_": {"mean": 0.25, "std": 0.0},
    "L_self_parameters_logit_scale_": {"mean": 2.303, "std": 0.0},
    "energy": {"mean": 1.0, "std": 0.5, "min_val": 0},
    **grouped_graphs.BOUNDS,
    **integer_graphs.BOUNDS,
    **part_graphs.BOUNDS,
    **masked_graphs.BOUNDS,
    **looked_for_graphs.BOUNDS,
    **placed_graphs.BOUNDS,
    **related_graphs.BOUNDS,
    **smooth_graphs.BOUNDS,
    **step_graphs.BOUNDS,
    **stored_graphs.BOUNDS,
}
# Inputs of these names have a dtype of their own.
_KINDS = {"packed": "int32", "bytes_": "uint8", **integer_graphs.KINDS, **part_graphs.KINDS, **stored_graphs.KINDS}
_POSITIVE = frozenset({"risen", "running_var", "energy", "change"})
_SHADES, _VEILS = {"shade"} | masked_graphs.SHADES, {"veil"} | masked_graphs.VEILS
_CHANCES = frozenset({"chance", "aim"})
_DTYPES = {
    **dict.fromkeys(["mean_of_all", "squared_in_place", "bounded_softmax"], "bfloat16"),
    **dict.fromkeys(
        ["half_scores", "half_squares", "middling", "bounded_mean", "widened_half", "experts_in_half"], "float16"
    ),
    "eight_bits": "float8_e5m2",
    **dict.fromkeys(["complex_logarithm", "rounded_samples"], "complex64"),
    **part_graphs.DTYPES,
    **related_graphs.DTYPES,
    **smooth_graphs.DTYPES,
    **step_graphs.DTYPES,
}
_STORED = {
    "k": tuple(0.25 * (i % 13 - 5) for i in range(64)),
    "heat": (1.0,),
    "edges": tuple((i - 128) / 128 for i in range(257)),
    "angles": tuple(0.01 * (i * 7919 % 4093) for i in range(4096)),
    "spoken": tuple(37 * (i * i % 13) for i in range(256)),
    **integer_graphs.STORED,
    **stored_graphs.STORED,
}
_OTHERS = (
    chosen_graphs,
    grouped_graphs,
    integer_graphs,
    part_graphs,
    stored_graphs,
    masked_graphs,
    looked_for_graphs,
    lost_graphs,
    placed_graphs,
    related_graphs,
    smooth_graphs,
    step_graphs,
)
_GRAPHS: dict[str, tuple[str, dict[str, tuple[int, ...]], float]] = {
    **{
        name: (_source(parameters, *lines), shapes, 1.0)
        for known in (each.GRAPHS for each in _OTHERS)
        for name, (parameters, lines, shapes) in known.items()
    },
    "complex_logarithm": (_source("signal", "out = torch.log(signal)", "return (out,)"), {"signal": (64, 256)}, 1.0),
    "rounded_samples": (
        _source("signal", "parts = torch.view_as_real(signal)", "out = torch.round(parts)", "return (out,)"),
        {"signal": (64, 256)},
        1.0,
    ),
    "nearest_pixels": (
        _source(
            "x, grid",
            "out = torch.nn.functional.grid_sample("
            "x, grid, mode = 'nearest', padding_mode = 'zeros', align_corners = False)",
            "return (out,)",
        ),
        {"x": (1, 4, 32, 32), "grid": (1, 48, 48, 2)},
        1.0,
    ),
    "clipped_buckets": (
        _source("x, edges", "out = torch.bucketize(x, edges)", "return (out,)"),
        {"x": (64, 128), "edges": (257,)},
        1.0,
    ),
    "scale_gelu": (_SCALE, {"x": (64, 512), "w": (512,), "b": (512,)}, 1.0),
    "large_scale_gelu": (_SCALE, {"x": (256, 512), "w": (512,), "b": (512,)}, 1.0),
    "device_scale_gelu": (_SCALE, {"x": (4096, 4096), "w": (4096,), "b": (4096,)}, 1.0),
    "gentle_scale_gelu": (_SCALE, {"x": (64, 512), "w": (512,), "b": (512,)}, 0.4),
    "gelu": (_source("x", "out = torch.nn.functional.gelu(x)", "return (out,)"), {"x": (64, 512)}, 1.0),
    "truncated": (_source("x", "y = torch.trunc(x)", "out = y * 2.0", "return (out,)"), {"x": (64, 512)}, 4.0),
    "long_chain": (_source("x", *_rounds(4), "return (x4,)"), {"x": (512, 512)}, 1.0),
    "one_of_one_row": (
        _source(
            "x",
            "i = x.argmax(-1, keepdim = True)",
            "z = torch.zeros_like(x)",
            "out = z.scatter(-1, i, 1.0)",
            "return (out,)",
        ),
        {"x": (1, 16000)},
        1.0,
    ),
    "one_of_each_row": (
        _source(
            "x",
            "i = x.argmax(-1, keepdim = True)",
            "z = torch.zeros_like(x)",
            "out = z.scatter(-1, i, 1.0)",
            "return (out,)",
        ),
        {"x": (64, 8192)},
        1.0,
    ),
    "relu": (_source("x", "out = torch.relu(x)", "return (out,)"), {"x": (64, 512)}, 1.0),
    "amid": (
        _source("x", "a = x + 1.0", "y = torch.relu(a)", "s = y * 2.0", "out = s + 1.0", "return (out,)"),
        {"x": (512, 1024)},
        1.0,
    ),
    "in_place_amid": (
        _source("x, y", "a = x + 1.0", "a += y", "s = a * 3.0", "out = s + 1.0", "return (out,)"),
        {"x": (64, 512), "y": (64, 512)},
        1.0,
    ),
    "numbered": (
        _source(
            "x",
            "numbers = torch.arange(64)",
            "repeated = numbers.expand(4, -1)",
            "out = x.view(-1)",
            "return (repeated, out)",
        ),
        {"x": (64, 512)},
        1.0,
    ),
    "waves": (
        _source(
            "x",
            "numbers = torch.arange(32768)",
            "angles = numbers * 0.01",
            "waves = torch.sin(angles)",
            "out = x.view(-1)",
            "return (waves, out)",
        ),
        {"x": (64, 512)},
        1.0,
    ),
    "multiplied_by_waves": (
        _source(
            "x",
            "numbers = torch.arange(32768)",
            "angles = numbers * 0.01",
            "waves = torch.sin(angles)",
            "y = x.view(-1)",
            "out = y * waves",
            "return (out,)",
        ),
        {"x": (64, 512)},
        1.0,
    ),
    "turned_by_stored": (
        _source(
            "x, angles",
            "a = torch.sin(angles)",
            "b = torch.exp(a)",
            "c = torch.tanh(b)",
            "d = torch.sin(c)",
            "out = x * d",
            "return (out,)",
        ),
        {"x": (4, 4096), "angles": (4096,)},
        1.0,
    ),
    "normalised": (
        _source(
            "x",
            "out = torch.nn.functional.layer_norm(x, (512,), weight = None, bias = None, eps = 1e-12)",
            "return (out,)",
        ),
        {"x": (256, 512)},
        1.0,
    ),
    "all_seen": (
        _source(
            "x",
            "empty = x == 0",
            "hidden = empty.all(dim = 1)",
            "seen = torch.logical_not(hidden)",
            "out = x.view(-1)",
            "return (seen, out)",
        ),
        {"x": (256, 512)},
        1.0,
    ),
    "equal_rows": (
        _source("x, b", "y = x * 0.0", "z = y + b", "out = z * 2.0", "return (out,)"),
        {"x": (512, 512), "b": (512,)},
        1.0,
    ),
    "wide_softmax": (_source("x", "out = torch.softmax(x, dim = -1)", "return (out,)"), {"x": (4, 16384)}, 0.5),
    "scaled_softmax": (
        _source("x", "y = x * 0.1767766952966369", "out = torch.softmax(y, dim = -1)", "y = None", "return (out,)"),
        {"x": (64, 512)},
        1.0,
    ),
    "bounded_mean": (
        _source("x", "y = torch.sigmoid(x)", "out = y.mean(-1)", "y = None", "return (out,)"), {"x": (16, 65536)}, 1.0
    ),
    "bounded_softmax": (
        _source("x", "y = torch.tanh(x)", "out = torch.softmax(y, dim = -1)", "y = None", "return (out,)"),
        {"x": (64, 4096)},
        1.0,
    ),
    "half_scores": (
        _source("x", "y = x * 0.1767766952966369", "out = torch.softmax(y, dim = -1)", "y = None", "return (out,)"),
        {"x": (64, 512)},
        1.0,
    ),
    "half_squares": (
        _source("x", "y = x * x", "out = y * 0.01", "y = None", "return (out,)"), {"x": (64, 512)}, 20.0
    ),
    "middling": (
        _source("x", "y = x * 0.0006", "out = torch.sigmoid(y)", "y = None", "return (out,)"), {"x": (64, 512)}, 1.0
    ),
    "softmax_of_bias": (
        _source("bias", "out = torch.softmax(bias, dim = -1)", "return (out,)"), {"bias": (64, 512)}, 0.5
    ),
    "softmax_of_positive": (
        _source("risen", "out = torch.softmax(risen, dim = -1)", "return (out,)"), {"risen": (64, 512)}, 0.5
    ),
    "ended": (
        _source(
            "x, tokens", "ended = tokens == 777", "hidden = ended.unsqueeze(-1)", "out = x.masked_fill(hidden, 0.0)",
            "ended = hidden = None", "return (out,)",
        ),
        {"x": (256, 512), "tokens": (256,)},
        1.0,
    ),
    "named_word": (
        _source(
            "x, tokens",
            "marked = torch.eq(tokens, other = 777)",
            "hidden = marked.unsqueeze(-1)",
            "out = x.masked_fill(hidden, 0.0)",
            "return (out,)",
        ),
        {"x": (256, 512), "tokens": (256,)},
        1.0,
    ),
    "listed_words": (
        _source(
            "x, tokens",
            "listed = torch.tensor([777, 778])",
            "marked = torch.isin(tokens, listed)",
            "hidden = marked.unsqueeze(-1)",
            "out = x.masked_fill(hidden, 0.0)",
            "return (out,)",
        ),
        {"x": (256, 512), "tokens": (256,)},
        1.0,
    ),
    "crossed_word": (
        _source(
            "x, tokens",
            "crossed = tokens ^ 777",
            "some = crossed.bool()",
            "marked = ~some",
            "hidden = marked.unsqueeze(-1)",
            "out = x.masked_fill(hidden, 0.0)",
            "return (out,)",
        ),
        {"x": (256, 512), "tokens": (256,)},
        1.0,
    ),
    "halved_words": (
        _source(
            "x, tokens",
            "halved = tokens // 2",
            "marked = halved == 388",
            "hidden = marked.unsqueeze(-1)",
            "out = x.masked_fill(hidden, 0.0)",
            "return (out,)",
        ),
        {"x": (256, 512), "tokens": (256,)},
        1.0,
    ),
    "hinged": (
        _source(
            "x, y",
            "out = torch.nn.functional.hinge_embedding_loss(x, y, 1.0, None, None, 'none')",
            "return (out,)",
        ),
        {"x": (256, 512), "y": (256, 512)},
        1.0,
    ),
    "chances": (
        _source(
            "chance, aim",
            "out = torch.nn.functional.binary_cross_entropy(chance, aim, reduction = 'none')",
            "return (out,)",
        ),
        {"chance": (256, 512), "aim": (256, 512)},
        1.0,
    ),
    "logits_of_chances": (
        _source(
            "chance",
            "out = torch.logit(chance, 1e-06)",
            "return (out,)",
        ),
        {"chance": (256, 512)},
        1.0,
    ),
    "bags": (
        _source(
            "tokens, w",
            "out = torch.nn.functional.embedding_bag(tokens, w, mode = 'sum', padding_idx = 5)",
            "return (out,)",
        ),
        {"tokens": (64, 8), "w": (50257, 32)},
        1.0,
    ),
    "without_infinity": (
        _source(
            "x",
            "hidden = x == float('-inf')",
            "out = x.masked_fill(hidden, 0.0)",
            "return (out,)",
        ),
        {"x": (256, 512)},
        1.0,
    ),
    "not_itself": (
        _source(
            "x",
            "strange = x != x",
            "y = x.masked_fill(strange, 0.0)",
            "out = y * 2.0",
            "return (out,)",
        ),
        {"x": (256, 512)},
        1.0,
    ),
    "veiled": (
        _source(
            "x, veil",
            "shown = x + veil",
            "out = shown.amax(-1)",
            "return (out,)",
        ),
        {"x": (256, 512), "veil": (256, 512)},
        1.0,
    ),
    "labelled_by_place": (
        _source(
            "x, labels",
            "out = torch.nn.functional.cross_entropy(x, labels, None, None, 3, None, 'none')",
            "return (out,)",
        ),
        {"x": (512, 1000), "labels": (512,)},
        1.0,
    ),
    "rows_that_meet": (
        _source("x, y",
            "e = x == y", "a = e.all(-1, keepdim = True)", "out = x.masked_fill(a, 0.0)", "return (out,)",
        ),
        {"x": (64, 32), "y": (64, 32)},
        1.0,
    ),
    "nearly_equal": (
        _source("x, y",
            "m = torch.isclose(x, y)", "out = x.masked_fill(m, 0.0)", "return (out,)",
        ),
        {"x": (64, 64), "y": (64, 64)},
        1.0,
    ),
    "floors": (
        _source("x",
            "y = torch.floor(x)", "f = y * 0.5", "s = x * 0.3", "g = torch.floor(s)", "return (f, g)",
        ),
        {"x": (16, 16)},
        1.0,
    ),
    "shown_rows": (
        _source("x, shown",
            "f = shown.float()", "u = f.unsqueeze(-1)", "out = x * u", "return (out,)",
        ),
        {"x": (64, 16), "shown": (64,)},
        1.0,
    ),
    "heated": (
        _source("x, heat",
            "y = x / heat", "out = torch.softmax(y, dim = -1)", "return (out,)",
        ),
        {"x": (64, 64), "heat": (1,)},
        1.0,
    ),
    "loud": (
        _source("x",
            "y = torch.relu(x)", "out = y * 0.5", "return (out,)",
        ),
        {"x": (64, 256)},
        12000.0,
    ),
    "unit_filters": (
        _source("x, L_self_modules_head_parameters_weight_",
            "v = torch.nn.functional.normalize(L_self_modules_head_parameters_weight_, dim = -1)",
            "out = torch.nn.functional.linear(x, v)", "return (out,)",
        ),
        {"x": (4, 64), "L_self_modules_head_parameters_weight_": (512, 64)},
        1.0,
    ),
    "rows_with_nan": (
        _source("x, a, b", "m = torch.isnan(x)", "o = m.any(dim = -1)", "y = torch.where(o, a, b)", "return (y,)"),
        {"x": (256, 512), "a": (256,), "b": (256,)},
        1.0,
    ),
    "own_infinities": (
        _source("x",
            "m = x.amax(-1, keepdim = True)", "i = m == float('-inf')", "s = m.masked_fill(i, 0.0)", "d = x - s",
            "out = torch.exp(d)", "return (out,)",
        ),
        {"x": (32, 64)},
        1.0,
    ),
    "ended_beside_a_sine": (
        _source(
            "x, tokens", "ended = tokens == 777", "hidden = ended.unsqueeze(-1)", "out = x.masked_fill(hidden, 0.0)",
            "turns = x * 1608.495438637974", "s = torch.sin(turns)", "ended = hidden = turns = None", "return (out, s)",
        ),
        {"x": (256, 512), "tokens": (256,)},
        1.0,
    ),
    "unit_rows_beside_bits": (
        _source(
            "x", "out = torch.nn.functional.normalize(x, p = 2.0, dim = -1)", "bits = x.view(torch.int32)",
            "high = bits >> 23", "exponent = high & 255", "bits = high = None", "return (out, exponent)",
        ),
        {"x": (64, 512)},
        1.0,
    ),
    "unit_rows_in_eight_bits": (
        _source(
            "x", "out = torch.nn.functional.normalize(x, p = 2.0, dim = -1)", "short = x.to(torch.float8_e4m3fn)",
            "return (out, short)",
        ),
        {"x": (64, 512)},
        1.0,
    ),
    "boxed": (
        _source("x, low, high", "a = x >= low", "b = x <= high", "out = a & b", "a = b = None", "return (out,)"),
        {"x": (64, 512), "low": (64, 512), "high": (64, 512)},
        1.0,
    ),
    "likeliest": (
        _source(
            "x", "best = x.topk(50, dim = -1)", "values = best[0]", "least = values[(..., slice(-1, None, None))]",
            "hidden = x < least", "out = x.masked_fill(hidden, -10000.0)", "best = values = least = hidden = None",
            "return (out,)",
        ),
        {"x": (8, 1000)},
        1.0,
    ),
    "signs_copied": (
        _source("x, y", "out = torch.copysign(x, y)", "return (out,)"), {"x": (64, 512), "y": (64, 512)}, 1.0
    ),
    "far_clipped": (
        _source("x", "y = x * 0.5", "out = torch.clamp(y, -65000.0, 65000.0)", "return (out,)"), {"x": (64, 512)}, 1.0
    ),
    "unit_rows": (
        _source("x", "out = torch.nn.functional.normalize(x, p = 2.0, dim = -1)", "return (out,)"),
        {"x": (64, 512)},
        1.0,
    ),
    "batch_normed": (
        _source(
            "x, running_mean, running_var",
            "out = torch.nn.functional.batch_norm(x, running_mean, running_var, None, None, False, 0.1, 1e-12)",
            "return (out,)",
        ),
        {"x": (8, 32, 128), "running_mean": (32,), "running_var": (32,)},
        1.0,
    ),
    "embedded_norm": (
        _source(
            "words, table",
            "rows = torch.nn.functional.embedding(words, table)",
            "out = torch.nn.functional.layer_norm(rows, (512,), weight = None, bias = None, eps = 1e-05)",
            "return (out,)",
        ),
        {"words": (256,), "table": (32, 512)},
        1.0,
    ),
    "spoken_norm": (
        _source(
            "spoken, table",
            "rows = torch.nn.functional.embedding(spoken, table)",
            "out = torch.nn.functional.layer_norm(rows, (512,), weight = None, bias = None, eps = 1e-05)",
            "return (out,)",
        ),
        {"spoken": (256,), "table": (512, 512)},
        1.0,
    ),
    "nearby": (
        _source(
            "x, nearby, table",
            "rows = torch.nn.functional.embedding(nearby, table)",
            "out = x + rows",
            "return (out,)",
        ),
        {"x": (256, 512), "nearby": (256,), "table": (512, 512)},
        1.0,
    ),
    "shaded": (
        _source("x, shade", "y = x + shade", "out = torch.softmax(y, dim = -1)", "y = None", "return (out,)"),
        {"x": (64, 512), "shade": (64, 512)},
        1.0,
    ),
    "placed": (
        _source(
            "x, n, table", "m = n + 2", "rows = torch.nn.functional.embedding(m, table)", "out = x + rows",
            "return (out,)",
        ),
        {"x": (256, 512), "n": (256,), "table": (130, 512)},
        1.0,
    ),
    "masked_scores": (
        _source(
            "x, y", "hidden = y > 1.0", 'out = x.masked_fill(hidden, float("-inf"))', "hidden = None", "return (out,)"
        ),
        {"x": (256, 512), "y": (256, 512)},
        1.0,
    ),
    "product": (_source("x, w", "out = torch.matmul(x, w)", "return (out,)"), {"x": (64, 128), "w": (128, 64)}, 1.0),
    "gentle_product": (
        _source("x, w", "out = torch.matmul(x, w)", "return (out,)"), {"x": (64, 128), "w": (128, 64)}, 0.5
    ),
    "two_outputs": (
        _source("x, y", "s = x + y", "t = torch.tanh(s)", "return (s, t)"), {"x": (64, 256), "y": (64, 256)}, 1.0
    ),
    "in_place": (
        _source("x, y", "x += y", "s = x", "t = s * 3.0", "return (t,)"), {"x": (64, 256), "y": (64, 256)}, 1.0
    ),
    "in_place_alone": (
        _source("x, y", "x += y", "s = x", "s = None", "t = y.flatten()", "return (t,)"),
        {"x": (256, 512), "y": (256, 512)},
        1.0,
    ),
    "squared_in_place": (
        _source("x, y", "a = y.sum(dim=0)", "b = a * a", "s = x.copy_(b)", "t = s * 3.0", "return (t,)"),
        {"x": (64, 256), "y": (4, 64, 256)},
        1.0,
    ),
    "turned_alone": (
        _source("x", "y = x.transpose(0, 1)", "out = y.contiguous()", "return (out,)"),
        {"x": (512, 512)},
        1.0,
    ),
    "views": (
        _source("x", "y = x.transpose(0, 1)", "z = y * 2.0", "out = z.reshape(-1)", "return (out,)"),
        {"x": (96, 64)},
        1.0,
    ),
    "clamped_input": (
        _source("x", "y = torch.nn.functional.relu(x, inplace = True)", "out = y * 3.0", "return (out,)"),
        {"x": (64, 256)},
        1.0,
    ),
    "turned": (
        _source("x", "y = x.transpose(0, 1)", "out = y * 2.0", "return (out,)"), {"x": (512, 512)}, 1.0
    ),
    "every_second": (
        _source(
            "x", "pairs = x.unflatten(1, (256, 2))", "out = pairs.select(2, 0)",
            "some = x.narrow(0, 0, 128)", "more = torch.tanh(some)", "return (out, more)",
        ),
        {"x": (512, 512)},
        1.0,
    ),
    "windows": (
        _source("x", "y = x * 2.0", "z = y.unfold(0, 64, 1)", "out = z.contiguous()", "y = z = None", "return (out,)"),
        {"x": (4096,)},
        1.0,
    ),
    "repeated": (
        _source("x", "y = torch.nn.functional.gelu(x)", "out = y.repeat(16, 1, 1)", "y = None", "return (out,)"),
        {"x": (32, 512)},
        1.0,
    ),
    "stacked": (
        _source("x, y", "s = x * 2.0", "out = torch.stack([s, y])", "s = None", "return (out,)"),
        {"x": (512, 1024), "y": (512, 1024)},
        1.0,
    ),
    "also_turned": (
        _source("x", "y = x * 2.0", "z = y.transpose(0, 1)", "t = z.contiguous()", "z = None", "return (y, t)"),
        {"x": (512, 512)},
        1.0,
    ),
    "overlapping_parts": (
        _source(
            "x", "a = x[0:384]", "b = torch.tanh(a)", "c = x[128:512]", "d = torch.tanh(c)", "a = c = None",
            "return (b, d)",
        ),
        {"x": (512, 128)},
        1.0,
    ),
    "three_parts": (
        _source("x", "a = x * 2.0", "b = torch.relu(x)", "c = x + 1.0", "return (a, b, c)"), {"x": (256, 128)}, 1.0
    ),
    "spread_means": (
        _source("x", "y = x.mean(-1, keepdim = True)", "out = y.expand(-1, 512)", "y = None", "return (out,)"),
        {"x": (256, 512)},
        1.0,
    ),
    "views_of_one": (
        _source("x", "y = x * 2.0", "t = y.transpose(0, 1)", "w = y.unfold(1, 64, 1)", "return (y, t, w)"),
        {"x": (96, 128)},
        1.0,
    ),
    "stored_scale": (
        _source("x, k", "y = x * k", "z = torch.tanh(y)", "out = z * k", "return (out,)"),
        {"x": (512, 64), "k": (64,)},
        1.0,
    ),
    "any_shown": (
        _source(
            "x, m", "seen = m.any(-1, keepdim = True)", "hidden = torch.logical_not(seen)",
            "out = x.masked_fill(hidden, 0.0)", "return (out,)",
        ),
        {"x": (256, 64), "m": (256, 512)},
        1.0,
    ),
    "any_marked": (
        _source(
            "x, marks", "seen = marks.any(-1, keepdim = True)", "hidden = torch.logical_not(seen)",
            "out = x.masked_fill(hidden, 0.0)", "return (out,)",
        ),
        {"x": (256, 64), "marks": (256, 512)},
        1.0,
    ),
    "largest_grade": (
        _source("x, grades", "top = grades.amax(-1, keepdim = True)", "out = x * top", "return (out,)"),
        {"x": (256, 64), "grades": (256, 512)},
        1.0,
    ),
    "typed": (
        _source("x, kinds, w", "rows = torch.nn.functional.embedding(kinds, w)", "out = x + rows", "return (out,)"),
        {"x": (256, 512), "kinds": (256,), "w": (4, 512)},
        1.0,
    ),
    "counted": (
        _source("x, n", "squared = n * n", "out = x * squared", "return (out,)"),
        {"x": (256, 512), "n": (256, 512)},
        1.0,
    ),
    "totals": (
        _source("x, n", "s = n.sum(-1, keepdim = True)", "out = x * s", "return (out,)"),
        {"x": (256, 512), "n": (256, 512)},
        1.0,
    ),
    "floored": (_source("x", "y = torch.floor(x)", "out = y * 0.5", "return (out,)"), {"x": (64, 512)}, 4.0),
    "low_bytes": (
        _source("x, n", "low = n % 256", "out = x * low", "return (out,)"), {"x": (256, 512), "n": (256, 512)}, 1.0
    ),
    "mean_of_all": (_source("x", "y = x + 3.0", "out = y.mean()", "return (out,)"), {"x": (64, 512)}, 1.0),
    "beside_view": (
        _source("x", "top = x.narrow(0, 0, 32)", "y = x * 2.0", "out = torch.relu(y)", "return (top, out)"),
        {"x": (64, 512)},
        1.0,
    ),
    "reduction": (_source("x", "out = x.mean(-1, keepdim = True)", "return (out,)"), {"x": (128, 512)}, 1.0),
    "largest": (
        _source(
            "x", "c = x.clamp(max = 3.0)", "y = torch.exp(c)", "best = y.max(dim = -1)", "v = best[0]", "i = best[1]",
            "return (v, i)",
        ),
        {"x": (4, 16384)},
        1.0,
    ),
    "scaled_largest": (
        _source("x", "y = x * 2.0", "best = y.max(dim = -1)", "v = best[0]", "i = best[1]", "return (v, i)"),
        {"x": (4, 16384)},
        1.0,
    ),
    "smallest": (_source("x", "y = x * 2.0", "out = y.argmin(-1)", "return (out,)"), {"x": (64, 512)}, 1.0),
    "thin_marks": (
        _source(
            "x, thin", "seen = thin.any(dim = 1)", "hidden = torch.logical_not(seen)",
            "out = x.masked_fill(hidden, 0.0)", "return (out,)",
        ),
        {"x": (256, 64), "thin": (256, 512, 1)},
        1.0,
    ),
    "labelled": (
        _source(
            "x, labels", "out = torch.nn.functional.cross_entropy(x, labels, reduction = 'none')", "return (out,)"
        ),
        {"x": (512, 1000), "labels": (512,)},
        1.0,
    ),
    "dropped": (
        _source(
            "x, times", "m = times * times", "y = x * m",
            "out = torch.nn.functional.dropout(y, p = 0.1, training = False)", "return (out,)",
        ),
        {"x": (256, 512), "times": (256, 1)},
        1.0,
    ),
    "nibbles": (
        _source("bytes_, s", "hi = bytes_ >> 4", "a = hi.float()", "b = a - 8.0", "out = b * s", "return (out,)"),
        {"bytes_": (512, 512), "s": (512, 1)},
        1.0,
    ),
    "packed_words": (
        _source(
            "packed, s", "hi = packed >> 16", "n = hi & 15", "a = n.float()", "b = a - 8.0", "out = b * s",
            "return (out,)",
        ),
        {"packed": (256, 512), "s": (256, 1)},
        1.0,
    ),
    "total_bytes": (_source("bytes_", "out = bytes_.sum(-1)", "return (out,)"), {"bytes_": (512, 512)}, 1.0),
    "scaled_bytes": (
        _source("bytes_, s", "out = bytes_ * s", "return (out,)"), {"bytes_": (512, 512), "s": (512, 1)}, 1.0
    ),
    "widened_half": (_source("x", "y = x.float()", "out = y * 0.125", "return (out,)"), {"x": (64, 512)}, 1.0),
    "eight_bits": (
        _source("x", "y = x.to(torch.float32)", "out = y * 0.5", "y = None", "return (out,)"), {"x": (64, 512)}, 1.0
    ),
    "one_slope": (
        _source(
            "x, L_self_modules_act_parameters_weight_",
            "y = torch.prelu(x, L_self_modules_act_parameters_weight_)", "out = y * 2.0", "return (out,)",
        ),
        {"x": (256, 512), "L_self_modules_act_parameters_weight_": (1,)},
        1.0,
    ),
    "one_scale": (
        _source(
            "x, L_self_parameters_logit_scale_",
            "s = torch.clamp(L_self_parameters_logit_scale_, max = 4.605170185988092)", "e = torch.exp(s)",
            "out = x * e", "return (out,)",
        ),
        {"x": (256, 512), "L_self_parameters_logit_scale_": (1,)},
        1.0,
    ),
    "energies": (
        _source("energy", "y = torch.log(energy)", "out = y * 0.5", "return (out,)"), {"energy": (256, 512)}, 1.0
    ),
    "own_softmax": (
        _source(
            "x", "m = x.amax(-1, keepdim = True)", "d = x - m", "e = torch.exp(d)", "s = e.sum(-1, keepdim = True)",
            "out = e / s", "return (out,)",
        ),
        {"x": (256, 512)},
        1.0,
    ),
    "few_outputs": (
        _source("x", "y = x + 100.0", "s = y.sum(-1)", "out = s - 102400.0", "return (out,)"),
        {"x": (8, 1024)},
        1.0,
    ),
    "capped_scores": (
        _source(
            "x, m", "a = x / 50.0", "b = torch.tanh(a)", "c = b * 50.0",
            "out = c.masked_fill(m, -3.4028234663852886e+38)", "return (out,)",
        ),
        {"x": (512, 64), "m": (64,)},
        1.5,
    ),
    "norm": (
        _source(
            "x, y, w, b",
            "s = x + y",
            "out = torch.nn.functional.layer_norm(s, (256,), w, b, 1e-05)",
            "return (out,)",
        ),
        {"x": (64, 256), "y": (64, 256), "w": (256,), "b": (256,)},
        1.0,
    ),
    "chain": (
        _SCALE.replace("out =", "g =").replace("return (out,)", "out = g.softmax(-1)\n        return (out,)"),
        {"x": (64, 512), "w": (512,), "b": (512,)},
        1.0,
    ),
}  # fmt: skip


def draw(graph: str, seed: int) -> list[torch.Tensor]:
    """The inputs that a naive harness draws: normal, from one public seed."""
    torch.manual_seed(seed)
    _, shapes, scale = _GRAPHS[graph]
    drawn = {name: torch.randn(shape) * scale for name, shape in shapes.items()}
    kind = getattr(torch, _DTYPES.get(graph, "float32"))
    kinds = {name: None if name in _INTEGERS else kind for name in shapes}
    stored = {
        name: torch.tensor(_STORED[name], dtype=kinds[name]).reshape(shape)
        for name, shape in shapes.items()
        if name in _STORED
    }
    return [
        stored[name]
        if name in _STORED
        else placed_graphs.RISING[name](values)
        if name in placed_graphs.RISING
        else (values > 0).to(getattr(torch, _KINDS[name]))
        if name in _KINDS
        else values > 0
        if name in _MASKS
        else values.abs()
        if name in _POSITIVE
        else (values < 0) * _BOUNDS[name]["mean"]
        if name in _SHADES
        else torch.zeros_like(values).masked_fill(values < 0, _BOUNDS[name]["mean"])
        if name in _VEILS
        else values.sigmoid()
        if name in _CHANCES
        else (values * _BOUNDS[name]["std"] + _BOUNDS[name]["mean"]).to(kind)
        if "std" in _BOUNDS.get(name, {})
        else (values > 0).long().clamp(_BOUNDS[name].get("min_val"), _BOUNDS[name].get("max_val"))
        if name in _BOUNDS
        else (values > 0).long()
        if name in _INTEGERS
        else torch.complex(values, values.flip(-1)).to(kind)
        if kind.is_complex
        else values.to(kind)
        for name, values in drawn.items()
    ]


def _spec(name: str, shape: tuple[int, ...], scale: float, dtype: str) -> TensorSpec:
    if name in _MASKS | _INTEGERS:
        known, kind = {}, "bool" if name in _MASKS else _KINDS.get(name, "int64")
    else:
        known, kind = {"mean": 0.0, "std": scale}, dtype
    return TensorSpec(name, shape, kind, data=_STORED.get(name), **known | _BOUNDS.get(name, {}))


def write_graph(name: str, directory: Path) -> Path:
    """A graph directory of the corpus."""
    source, shapes, scale = _GRAPHS[name]
    specs = tuple(_spec(key, shape, scale, _DTYPES.get(name, "float32")) for key, shape in shapes.items())
    Graph(name, source, specs, _META, file_order=tuple(shapes)).write(directory / name)
    return directory / name


def write_graphs(entries: Iterable[Entry], directory: Path) -> dict[str, Path]:
    """The graphs that these entries are for, variants included, by name."""
    names = {name for entry in entries for name in (entry.graph, entry.variant) if name}
    return {name: write_graph(name, directory) for name in sorted(names)}
