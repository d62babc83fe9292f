"""Rules spelled from real graphs: in the graph's own words, or re-spelled by a seeded writer that changes no value."""

import ast
import inspect
import math
import operator
import random

import torch
import torch.nn.functional as F
from torch import fx

from passnet.op_classes import word_set

SCOPE = {"torch": torch, "F": F, "math": math, "operator": operator, "device": torch.device, "inf": math.inf,
         "nan": math.nan}  # fmt: skip

NAMESPACES = {"torch": torch, "F": F, "torch._C._nn": torch._C._nn, "torch._C": torch._C}
INFIX = {"add": "+", "sub": "-", "mul": "*", "truediv": "/", "pow": "**", "matmul": "@", "gt": ">", "lt": "<",
         "ge": ">=", "le": "<=", "and_": "&", "or_": "|"}  # fmt: skip
AUGMENTED = {"iadd": "+", "isub": "-", "imul": "*", "itruediv": "/"}
# Operators and their torch functions; the method has the function's name.
FUNCTION_OF = {"add": "add", "sub": "sub", "mul": "mul", "truediv": "div", "pow": "pow", "matmul": "matmul",
               "gt": "gt", "lt": "lt", "ge": "ge", "le": "le", "neg": "neg"}  # fmt: skip
OPERATOR_OF = {"add": "+", "sub": "-", "mul": "*", "div": "/", "pow": "**", "matmul": "@"}
COMMUTED = frozenset({"add", "mul", "maximum", "minimum"})
# Functions that take the same arguments in the same order as the method of their name.
BOTH = word_set(
    "abs add argmax bmm chunk clamp cos cumsum div erf exp expm1 flatten log matmul mean mul neg permute pow relu "
    "reshape roll rsqrt sigmoid sin softmax split sqrt squeeze sub sum tanh transpose unsqueeze maximum minimum "
    "masked_fill"
)
F_TO_TORCH = {F.softmax: "softmax", F.relu: "relu", F.sigmoid: "sigmoid", F.tanh: "tanh"}
ARITHMETIC = frozenset({"add", "sub", "mul", "div", "pow"})
DTYPE_METHODS = {"float": "float32", "half": "float16", "double": "float64", "bfloat16": "bfloat16"}
DIMMED = word_set("softmax mean sum unsqueeze squeeze cat chunk cumsum argmax flatten")


def leftover(rewritten):
    """Calls of a rewritten graph that are neither replacements nor take their results apart."""
    made = {name for record in rewritten.records for name in (record.call, *record.outputs.values())}
    return [node for node in rewritten.gm.graph.nodes if node.op.startswith("call_") and node.name not in made]


def own_pattern(source):
    """The graph's own `forward` as a pattern function: what it returns, less its inputs, each value once."""
    tree = ast.parse(source)
    forward = next(node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef))
    forward.args.args = forward.args.args[1:]
    inputs = {argument.arg for argument in forward.args.args}
    forward.name = "pattern"
    last = forward.body[-1]
    kept = {item.id: item for item in last.value.elts if isinstance(item, ast.Name) and item.id not in inputs}
    last.value.elts = list(kept.values())
    module = ast.Module([forward], [])
    return compiled(ast.unparse(ast.fix_missing_locations(module)))


def compiled(text):
    scope = dict(SCOPE)
    exec(compile(text, "<pattern>", "exec"), scope)
    scope["pattern"].text = text
    return scope["pattern"]


def respelled(gm, seed):
    """The graph of `gm`, whose nodes carry values in `meta["val"]`, written another way."""
    return compiled(Speller(gm, random.Random(seed)).text())


class Speller:
    """Writes one graph as source, drawing one of the ways to say it for every call."""

    def __init__(self, gm, draw):
        self.draw = draw
        self.names = {}
        self.nodes = list(gm.graph.nodes)
        self.lines = []

    def maybe(self):
        return self.draw.random() < 0.6

    def text(self):
        parameters = []
        for node in self.nodes:
            if node.op == "placeholder":
                self.names[node] = f"p{len(parameters)}"
                parameters.append(self.names[node])
            elif node.op != "output":
                self.statement(node)
        self.finish()
        return f"def pattern({', '.join(parameters)}):\n" + "\n".join(f"    {line}" for line in self.lines)

    def statement(self, node):
        name = f"v{len(self.lines)}"
        target = getattr(node.target, "__name__", node.target)
        if target == "setitem" and node.op == "call_function":
            self.lines.append(f"{self.value(node.args[0])}[{self.value(node.args[1])}] = {self.value(node.args[2])}")
            self.names[node] = self.names[node.args[0]]
        elif target in AUGMENTED and node.op == "call_function":
            self.lines.append(f"{self.value(node.args[0])} {AUGMENTED[target]}= {self.value(node.args[1])}")
            self.names[node] = self.names[node.args[0]]
        else:
            self.lines.append(f"{name} = {self.expression(node)}")
            self.names[node] = name

    def finish(self):
        output = self.nodes[-1].args[0]
        kept = dict.fromkeys(
            self.names[item] for item in output if isinstance(item, fx.Node) and item.op != "placeholder"
        )
        self.lines.append(f"return {', '.join(kept)},")

    def value(self, value):
        if isinstance(value, fx.Node):
            return self.names[value]
        if isinstance(value, (tuple, list)):
            inner = "".join(self.value(item) + ", " for item in value)
            return f"[{inner}]" if isinstance(value, list) else f"({inner})"
        if isinstance(value, slice):
            return f"slice({self.value(value.start)}, {self.value(value.stop)}, {self.value(value.step)})"
        if isinstance(value, torch.device):
            return f"torch.device({str(value)!r})"
        if value is Ellipsis:
            return "..."
        return f"({value!r})" if isinstance(value, (int, float)) and not isinstance(value, bool) else repr(value)

    def expression(self, node):
        args, kwargs = list(node.args), dict(node.kwargs)
        if node.op == "call_method":
            return self.method(node, str(node.target), args, kwargs)
        name = getattr(node.target, "__name__", "")
        module = getattr(node.target, "__module__", "")
        if module in ("_operator", "operator"):
            return self.operator(node, name, args)
        if node.target is getattr:
            return f"{self.value(args[0])}.{args[1]}"
        if node.target in F_TO_TORCH and len(args) <= 2 and not set(kwargs) - {"dim", "dtype"}:
            return self.torch_function(node, F_TO_TORCH[node.target], args, kwargs)
        if inspect.isfunction(node.target):
            return self.python_function(node, args, kwargs)
        if getattr(torch, name, None) is node.target and name in BOTH:
            return self.torch_function(node, name, args, kwargs)
        if name == "cat":
            return self.concatenation(args, kwargs, node)
        return self.call(self.dotted(node.target), args, kwargs)

    def dotted(self, target):
        name = target.__name__
        for text, owner in NAMESPACES.items():
            if getattr(owner, name, None) is target:
                return f"{text}.{name}"
        for text, prefix in (("torch.fft", "fft_"), ("torch.linalg", "linalg_"), ("torch.special", "special_")):
            if name.startswith(prefix):
                return f"{text}.{name.removeprefix(prefix)}"
        raise ValueError(f"no name for {target}")

    def call(self, function, args, kwargs):
        parts = [self.value(item) for item in args] + [f"{key}={self.value(item)}" for key, item in kwargs.items()]
        return f"{function}({', '.join(parts)})"

    def operator(self, node, name, args):
        if name == "getitem":
            return self.item(args)
        if all(not self.is_tensor(arg) for arg in args):
            return self.call(f"operator.{name}", args, {})
        if name in FUNCTION_OF and self.is_tensor(args[0]):
            return self.torch_function(node, FUNCTION_OF[name], args, {})
        return self.plain_operator(name, args)

    def plain_operator(self, name, args):
        if name == "neg":
            return f"-{self.value(args[0])}"
        if name in INFIX:
            left, right = (self.value(self.literal(args, i)) for i in range(2))
            if name in COMMUTED and self.maybe():
                left, right = right, left
            return f"{left} {INFIX[name]} {right}"
        return self.call(f"operator.{name}", args, {})

    def item(self, args):
        index = args[1]
        items = index if isinstance(index, tuple) else (index,)
        full = slice(None, None, None)
        inserts = isinstance(index, tuple) and items.count(None) == 1
        if inserts and all(i is None or i == full for i in items) and self.maybe():
            return f"{self.value(args[0])}.unsqueeze({items.index(None)})"
        return f"{self.value(args[0])}[{self.value(index)}]"

    def method(self, node, name, args, kwargs):
        if name in BOTH and self.is_tensor(args[0]):
            return self.torch_function(node, name, args, kwargs)
        if name in DTYPE_METHODS and len(args) == 1 and not kwargs:
            dtype = f"torch.{DTYPE_METHODS[name]}"
            forms = (f".{name}()", f".to({dtype})", f".to(dtype={dtype})", f".type({dtype})")
            return self.value(args[0]) + self.draw.choice(forms)
        if name in ("view", "permute", "expand", "reshape"):
            args = self.sizes(node, name, args)
            if name == "view" and self.maybe():
                name = "reshape"
        return self.call(f"{self.value(args[0])}.{name}", args[1:], kwargs)

    def torch_function(self, node, name, args, kwargs):
        """One of operator, method and function, for operations that are all three."""
        args, kwargs = self.dims(node, name, args, kwargs)
        if name in ARITHMETIC and len(args) == 2:
            args = [self.literal(args, 0), self.literal(args, 1)]
        if name in COMMUTED and len(args) == 2 and self.is_tensor(args[1]) and not kwargs and self.maybe():
            args = args[::-1]
        if name in ("permute", "reshape"):
            args = self.sizes(node, name, args)
        forms = ["method", "function"] if self.is_tensor(args[0]) else ["function"]
        if name in OPERATOR_OF and len(args) == 2 and not kwargs:
            forms.append("operator")
        form = self.draw.choice(forms)
        if form == "operator":
            left, right = self.value(args[0]), self.value(args[1])
            if name in COMMUTED and self.maybe():
                left, right = right, left
            return f"{left} {OPERATOR_OF[name]} {right}"
        if form == "method":
            args, kwargs = self.named(name, args, kwargs)
            return self.call(f"{self.value(args[0])}.{name}", args[1:], kwargs)
        if name in ("permute", "reshape") and len(args) > 2:
            args = [args[0], tuple(args[1:])]
        args, kwargs = self.named(name, args, kwargs)
        return self.call(f"torch.{name}", args, kwargs)

    def named(self, name, args, kwargs):
        """The last argument by keyword, for operations that call it `dim`."""
        if (
            name in DIMMED
            and len(args) == 2
            and "dim" not in kwargs
            and name not in ("flatten", "chunk")
            and self.maybe()
        ):
            return args[:1], {"dim": args[1], **kwargs}
        if "dim" in kwargs and len(args) == 1 and next(iter(kwargs)) == "dim" and name != "squeeze" and self.maybe():
            kwargs = dict(kwargs)
            return [args[0], kwargs.pop("dim")], kwargs
        return args, kwargs

    def dims(self, node, name, args, kwargs):
        """A dim counted from the other end."""
        if name not in DIMMED or not self.is_tensor(args[0]):
            return args, kwargs
        rank = args[0].meta["val"].dim() + (name == "unsqueeze")
        if len(args) == 2 and name != "chunk":
            args = [args[0], self.turned(args[1], rank)]
        if "dim" in kwargs:
            kwargs = {**kwargs, "dim": self.turned(kwargs["dim"], rank)}
        return args, kwargs

    def turned(self, dim, rank):
        if isinstance(dim, int) and not isinstance(dim, bool) and self.maybe():
            return dim - rank if dim >= 0 else dim + rank
        if isinstance(dim, (tuple, list)) and self.maybe():
            return [self.turned(item, rank) for item in dim]
        return dim

    def sizes(self, node, name, args):
        """Sizes one by one or as a list; one known size as -1 or the other way round."""
        sizes = list(args[1]) if len(args) == 2 and isinstance(args[1], (tuple, list)) else list(args[1:])
        if not all(isinstance(size, int) for size in sizes):
            return args
        value = node.meta.get("val")
        if name in ("view", "reshape") and isinstance(value, torch.Tensor) and self.maybe():
            sizes = [int(size) for size in value.shape]
            if sizes and value.numel() and self.maybe():
                sizes[self.draw.randrange(len(sizes))] = -1
        if len(sizes) > 0 and self.maybe():
            return [args[0], *sizes]
        return [args[0], tuple(sizes) if self.maybe() else sizes]

    def concatenation(self, args, kwargs, node):
        function = self.draw.choice(("torch.cat", "torch.concat", "torch.concatenate"))
        parts = args[0] if args else kwargs["tensors"]
        dim = args[1] if len(args) > 1 else kwargs.get("dim", kwargs.get("axis", 0))
        dim = self.turned(dim, node.meta["val"].dim())
        items = tuple(parts) if self.maybe() else list(parts)
        return self.call(function, [items], {"dim": dim}) if self.maybe() else self.call(function, [items, dim], {})

    def python_function(self, node, args, kwargs):
        """F functions: arguments by position or by name, defaults written or left out."""
        signature = inspect.signature(node.target)
        bound = signature.bind(*args, **kwargs).arguments
        parameters = list(signature.parameters.values())
        if any(parameter.kind is not parameter.POSITIONAL_OR_KEYWORD for parameter in parameters):
            return self.call(self.dotted(node.target), args, kwargs)
        cut = self.draw.randint(1, len(args)) if args else 0
        given, names = [], {}
        for index, parameter in enumerate(parameters):
            if parameter.name == "_stacklevel":
                continue
            default = parameter.default
            if parameter.name not in bound:
                if default is not parameter.empty and self.draw.random() < 0.3:
                    names[parameter.name] = default
                continue
            value = self.number(bound[parameter.name])
            is_default = isinstance(default, (bool, int, float)) and value == default
            if is_default and index >= cut and self.maybe():
                continue
            if index < cut and not names and len(given) == index:
                given.append(value)
            else:
                names[parameter.name] = value
        return self.call(self.dotted(node.target), given, names)

    def literal(self, args, index):
        """2 for 2.0 and 2.0 for 2, beside a tensor of floats."""
        other = args[1 - index]
        value = args[index]
        if not self.is_tensor(other) or not other.meta["val"].is_floating_point():
            return value
        if isinstance(value, int) and not isinstance(value, bool) and self.maybe():
            return float(value)
        return self.number(value)

    def number(self, value):
        if isinstance(value, float) and value.is_integer() and abs(value) < 2**63 and self.maybe():
            return int(value)
        return value

    @staticmethod
    def is_tensor(value):
        return isinstance(value, fx.Node) and isinstance(value.meta.get("val"), torch.Tensor)
