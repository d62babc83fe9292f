"""Pass files from plans: one rule for all variants whose graph is written alike, with a kernel for each of them."""

from __future__ import annotations

import ast
import itertools
import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from passnet.agent.authors.distill.plan import Buffer, BufferView, KernelPlan, base_of
from passnet.agent.lowering.changed import changed_inputs, read_inputs, result_nodes, returned_inputs
from passnet.agent.lowering.pieces import LoweredPiece
from passnet.graph import Graph, TensorSpec
from passnet.rewrite.passes.pass_set import MAX_FILE_NODES

MANIFEST = "sorted_output_pass_rule_names.json"


@dataclass(frozen=True)
class RuleKernel:
    """The kernel of one variant: an expression for the callable. Its text needs the `prelude` lines before it.

    It is called with the tensors of `inputs` (places in the graph's parameters) and then the memory of `buffers`.
    """

    prelude: tuple[str, ...]
    expression: str
    inputs: tuple[int, ...]
    buffers: tuple[Buffer, ...]


@dataclass(frozen=True)
class RuleVariant:
    """One graph (of a region), its plan and the kernel that was chosen for it."""

    piece: LoweredPiece
    plan: KernelPlan
    kernel: RuleKernel

    @property
    def graph(self) -> Graph:
        return self.piece.graph

    def pattern(self, device: str = "cpu") -> PatternText:
        """The pattern of a rule for this variant."""
        return pattern_of(self.graph, device, self.piece.dead)

    @property
    def strides(self) -> tuple[tuple[int, ...], ...]:
        """The strides of the inputs. They are 0 for an axis with one element, because its stride means nothing."""
        rows = (
            zip(spec.shape, steps, strict=True)
            for spec, steps in zip(self.graph.specs, self.piece.strides, strict=True)
        )
        return tuple(tuple(0 if size == 1 else step for size, step in row) for row in rows)


@dataclass(frozen=True)
class Language:
    """The first lines of the rules for one device."""

    device: str
    imports: tuple[str, ...]
    allocation: str


CPP = Language("cpu", ("from passnet.kernels import cpp",), "torch.empty_strided({0}, {1}, dtype={2})")
TRITON = Language(
    "cuda",
    ("import triton", "import triton.language as tl", "from triton.language.extra import libdevice"),
    "torch.empty_strided({0}, {1}, dtype={2}, device={3})",
)


def pass_files(variants: Sequence[RuleVariant], language: Language, *, prefix: str = "Fused") -> dict[str, str]:
    """A pass directory without its manifest (see `manifest`): file name -> text. There is a rule for each spelling."""
    groups: dict[object, list[RuleVariant]] = {}
    for variant in variants:
        groups.setdefault((variant.pattern(language.device).text, _layout(variant)), []).append(variant)
    texts = [text for group in groups.values() for own in _told_apart(group) for text in _rules(own, language)]
    return {f"{prefix}{number}.py": text for number, text in enumerate(texts)}


def _told_apart(variants: Sequence[RuleVariant]) -> list[list[RuleVariant]]:
    """The variants of each rule. Within one, the dtypes and shapes of what the pattern reads are never the same twice.

    Variants that differ in strides alone get rules of their own, of which `applies` chooses. Those that do not differ
    at all are one computation, so the first is enough.
    """
    read = variants[0].pattern().read
    rules: list[dict[object, RuleVariant]] = []
    seen: set[object] = set()
    for variant in variants:
        facts = tuple((spec.dtype, spec.shape) for spec in (variant.graph.specs[place] for place in read))
        layout = (facts, tuple(variant.strides[place] for place in read))
        if layout in seen:
            continue
        seen.add(layout)
        rule = next((rule for rule in rules if facts not in rule), None)
        if rule is None:
            rules.append(rule := {})
        rule[facts] = variant
    return [list(rule.values()) for rule in rules]


def _rules(variants: Sequence[RuleVariant], language: Language) -> list[str]:
    """One rule for all these variants. Several rules where its file would be larger than a pass file may be."""
    text, middle = _rule(variants, language), len(variants) // 2
    if not middle or sum(1 for _ in ast.walk(ast.parse(text))) <= MAX_FILE_NODES:
        return [text]
    return [*_rules(variants[:middle], language), *_rules(variants[middle:], language)]


def manifest(files: Mapping[str, str]) -> dict[str, str]:
    """The files with a manifest that applies all of them in the given order."""
    return {**files, MANIFEST: json.dumps([name.removesuffix(".py") for name in files], indent=1) + "\n"}


@dataclass(frozen=True)
class PatternText:
    """A graph as `pattern`: its text, its parameters, and what it returns.

    It returns outputs of the graph, and then the parameters that are `changed` in place and are no output. A match
    knows the parameters on which these depend. Their places are `read`.
    """

    text: str
    imports: tuple[str, ...]
    parameters: tuple[str, ...]
    read: tuple[int, ...]
    outputs: tuple[int, ...]
    changed: tuple[str, ...] = ()

    @property
    def returns(self) -> int:
        """The number of values that it returns."""
        return len(self.outputs) + len(self.changed)


def pattern_of(graph: Graph, device: str = "cpu", dead: Collection[int] = ()) -> PatternText:
    """The graph's own `forward` as a pattern function.

    It returns each value once, and of its inputs those that it changes in place and that are not `dead`. Devices in its
    text become `device`, as they do where the graph runs.
    """
    tree = _Moved(device).visit(ast.parse(graph.source))
    forward = next(node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef))
    parameters = tuple(argument.arg for argument in forward.args.args[1:])
    result = forward.body[-1]
    assert isinstance(result, ast.Return) and isinstance(result.value, ast.Tuple)
    kept: dict[str, int] = {}
    returned = returned_inputs(graph)
    told: set[int] = set()
    nodes = result_nodes(graph) if returned else []
    seen = set()
    for place, element in enumerate(result.value.elts):
        new = isinstance(element, ast.Name) and element.id not in parameters
        # A cast that changes nothing gives a changed input once more, under a name of its own.
        if place in returned and nodes[place] not in seen:
            seen.add(nodes[place])
            told.add(returned[place])
            kept.setdefault(ast.unparse(element), place)
        elif new and place not in returned:
            kept.setdefault(ast.unparse(element), place)
    places, more = tuple(kept.values()), sorted(changed_inputs(graph) - told - set(dead))
    changed = tuple(parameters[place] for place in more)
    body = [ast.unparse(statement) for statement in forward.body[:-1] if not _frees(statement)]
    lines = [f"def pattern({', '.join(parameters)}):", *body, f"return {', '.join((*kept, *changed))}"]
    imports = tuple(ast.unparse(node) for node in tree.body if isinstance(node, ast.Import | ast.ImportFrom))
    read = read_inputs(graph, places, more)
    return PatternText("\n    ".join(lines), imports, parameters, read, places, changed)


class _Moved(ast.NodeTransformer):
    """`device(type='cpu')` and `device='cpu'` name another device."""

    def __init__(self, device: str) -> None:
        self.device = device

    def visit_Call(self, node: ast.Call) -> ast.AST:
        if ast.unparse(node.func) in ("device", "torch.device"):
            return ast.copy_location(ast.Call(node.func, [ast.Constant(self.device)], []), node)
        return self.generic_visit(node)

    def visit_keyword(self, node: ast.keyword) -> ast.AST:
        if node.arg == "device" and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            return ast.keyword(node.arg, ast.Constant(self.device))
        return self.generic_visit(node)


def _frees(statement: ast.stmt) -> bool:
    """`tmp_0 = tmp_1 = None`"""
    value = statement.value if isinstance(statement, ast.Assign) else None
    return isinstance(value, ast.Constant) and value.value is None


def _rule(variants: Sequence[RuleVariant], language: Language) -> str:
    pattern = variants[0].pattern(language.device)
    needed = sorted({place for variant in variants for place in _needed(variant, pattern)})
    # A kernel without inputs still needs one parameter, if there is one, to know its device.
    needed = needed or list(pattern.read[:1])
    key = _key([variant.graph.specs for variant in variants], needed, pattern.read)
    names = [pattern.parameters[place] for place in sorted({*needed, *key})]
    parts = [f"{pattern.parameters[place]}.dtype, {pattern.parameters[place]}.shape" for place in key]
    key_text = ", ".join(parts) or "()"
    operators = [statement.leaf for statement in variants[0].graph.statements()]
    lines = [
        f'"""{_summary(operators)}, by the kernels that Inductor generates for {len(variants)} variants."""',
        "",
        *_imports(pattern, language),
        "",
        f'DEVICES = ("{language.device}",)',
        "",
        *dict.fromkeys(line for variant in variants for line in variant.kernel.prelude),
        "",
        f"# By {key_text}: the kernel, then size, strides and dtype of each output's memory.",
        "TABLE = {",
        *(f"    {_key_value(variant, key)}: {_entry(variant)}," for variant in variants),
        "}",
        "",
        *(_known_table(variants, pattern) if names else ()),
        "",
        pattern.text,
        "",
        "",
        f"def replacement_args({', '.join(pattern.parameters)}):",
        f"    return ({''.join(f'{name}, ' for name in names).rstrip()})",
        "",
        "",
        *(_guard(pattern) if names else ()),
        *_wrapper(variants, pattern, names, key_text, language),
        "",
        "",
        "def replacement_func():",
        "    return fused",
    ]
    return "\n".join(lines) + "\n"


def _known_table(variants: Sequence[RuleVariant], pattern: PatternText) -> list[str]:
    return [
        "# Dtype, shape and strides of every parameter that is read, for each variant; of one element no stride.",
        "KNOWN = {",
        *(f"    ({' '.join(f'{row},' for row in _known(variant, pattern.read))})," for variant in variants),
        "}",
        "",
    ]


def _guard(pattern: PatternText) -> list[str]:
    return [
        "def steps(value):",
        "    return tuple(0 if size == 1 else step for size, step in zip(value.shape, value.stride()))",
        "",
        "",
        "def applies(match):",
        f"    values = ({''.join(f'match.{pattern.parameters[place]}, ' for place in pattern.read).rstrip()})",
        "    seen = tuple((value.dtype, tuple(value.shape), steps(value)) for value in values)",
        '    return seen in KNOWN or f"there is no kernel for {seen}"',
        "",
        "",
    ]


def _imports(pattern: PatternText, language: Language) -> list[str]:
    known = dict.fromkeys(["import torch", *(line for line in pattern.imports if line != "import torch")])
    return [*known, "", *language.imports]


def _wrapper(
    variants: Sequence[RuleVariant], pattern: PatternText, names: Sequence[str], key_text: str, language: Language
) -> list[str]:
    first = variants[0]
    rooms = [f"room_{number}" for number in range(len(first.kernel.buffers))]
    device = f"{names[0]}.device" if names else repr(language.device)
    taken = ["kernel", *(f"({room}_size, {room}_stride, {room}_dtype)" for room in rooms)]
    allocated = [
        f"    {room} = {language.allocation.format(f'{room}_size', f'{room}_stride', f'{room}_dtype', device)}"
        for room in rooms
    ]
    given = [*(pattern.parameters[place] for place in first.kernel.inputs), *rooms]
    results = [*(_result(first, place, pattern) for place in pattern.outputs), *pattern.changed]
    return [
        "@torch.fx.wrap",
        f"def fused({', '.join(names)}):",
        f"    {', '.join(taken)} = TABLE[{key_text}]" if rooms else f"    (kernel,) = TABLE[{key_text}]",
        *allocated,
        f"    kernel({', '.join(given)})",
        f"    return {', '.join(results)}",
    ]


def _result(variant: RuleVariant, place: int, pattern: PatternText) -> str:
    """The expression of one output: an allocated buffer, an input, or a view of one."""
    output = variant.plan.outputs[place]
    base = base_of(output)
    names = [buffer.name for buffer in variant.kernel.buffers]
    if base in names:
        text, owned = f"room_{names.index(base)}", True
    else:
        text, owned = pattern.parameters[variant.plan.inputs.index(base)], False
    return output.text(text, owned=owned) if isinstance(output, BufferView) else text


def _layout(variant: RuleVariant) -> tuple[object, ...]:
    """Variants share a wrapper if these are equal: its arguments, its memory, its outputs."""
    pattern = variant.pattern()
    return (
        variant.kernel.inputs,
        len(variant.kernel.buffers),
        tuple(_result(variant, place, pattern) for place in pattern.outputs),
    )


def _needed(variant: RuleVariant, pattern: PatternText) -> set[int]:
    """Places of the parameters that the kernel reads or that hold the outputs."""
    outputs = {base_of(variant.plan.outputs[place]) for place in pattern.outputs}
    returned = {place for place, name in enumerate(variant.plan.inputs) if name in outputs}
    changed = {pattern.parameters.index(name) for name in pattern.changed}
    return set(variant.kernel.inputs) | returned | changed


def _key(specs: Sequence[Sequence[TensorSpec]], needed: Sequence[int], read: Sequence[int]) -> tuple[int, ...]:
    """The smallest set of parameters whose dtypes and shapes distinguish all variants.

    It is one of those that the kernels need, if that suffices, else of all that the pattern reads. Raises
    AssertionError where no such set does, because entries of one table would hide each other.
    """
    for places in (needed, read):
        for count in range(min(len(places), 1), len(places) + 1):
            for chosen in itertools.combinations(places, count):
                seen = {tuple((row[place].dtype, row[place].shape) for place in chosen) for row in specs}
                if len(seen) == len(specs):
                    return chosen
    raise AssertionError("variants of one rule do not differ in what the pattern reads")


def _key_value(variant: RuleVariant, key: Sequence[int]) -> str:
    specs = [variant.graph.specs[place] for place in key]
    return f"({', '.join(f'{_dtype(spec)}, {tuple(spec.shape)}' for spec in specs)})"


def _known(variant: RuleVariant, read: Sequence[int]) -> list[str]:
    rows = ((variant.graph.specs[place], variant.strides[place]) for place in read)
    return [f"({_dtype(spec)}, {tuple(spec.shape)}, {strides})" for spec, strides in rows]


def _entry(variant: RuleVariant) -> str:
    rooms = (f"({buffer.size}, {buffer.stride}, torch.{buffer.dtype})" for buffer in variant.kernel.buffers)
    return f"({variant.kernel.expression}, {''.join(f'{room}, ' for room in rooms)})".replace(", )", ",)")


def _dtype(spec: TensorSpec) -> str:
    return f"torch.{spec.dtype.removeprefix('torch.')}"


def _summary(operators: Sequence[str]) -> str:
    shown = " ".join(operators[:12])
    return shown if len(operators) <= 12 else f"{shown} and {len(operators) - 12} more"
