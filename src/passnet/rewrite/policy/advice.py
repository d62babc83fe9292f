"""What to write in place of what a rule of the source policy refuses, where the rule's own sentence is too general.

One row for each habit of authors. A row changes a message and no verdict.
"""

from __future__ import annotations

import re

from passnet.rewrite.policy.names import TENSOR_METHODS

_PLAIN_WRAPPER = "write the wrapper as a plain function under @torch.fx.wrap, which launches a kernel of yours"
_CONSTANTS = 'write a function in its place; a wrapper gets constants from replacement_args, as in `return (x, "tanh")`'
_TENSOR_VIEW = re.compile(rf"torch\.(Tensor\.)?(?P<method>{'|'.join(sorted(TENSOR_METHODS))})")
# The rules that a row is for, what stands there in full, and what to write.
_ROWS: tuple[tuple[frozenset[str], re.Pattern[str], str], ...] = tuple(
    (frozenset(rules.split()), re.compile(what), advice)
    for rules, what, advice in (
        ("library-call", r"functools\.partial(method)?", _CONSTANTS),
        ("replacement_func", r"return (functools\.)?partial\(.*", _CONSTANTS),
        (
            "replacement_func",
            r"return lambda.*",
            "write `return name_of_the_wrapper`; a lambda may only call it, with its arguments and literals in order",
        ),
        (
            "replacement_func",
            r"return \w+\(.*",
            "return the wrapper without calling it; an object of a class of yours is made at the top of the file",
        ),
        ("replacement_func", r"(?!pass$)[a-zA-Z_]\w*", "write `return` before it"),
        ("library-call decorator", r"(decorator )?torch\.(compile|jit|library|compiler|_dynamo)\b.*", _PLAIN_WRAPPER),
        ("library-call", r"torch\.(nn\.Module|autograd\.Function)", _PLAIN_WRAPPER),
        (
            "library-call",
            r"torch\.nn\.[A-Z]\w*",
            "a pattern calls the function of torch.nn.functional in its place; elsewhere, compute in the kernel",
        ),
        ("library-call", r"torch\.Tensor", "name it in annotations and in isinstance only"),
        ("library-call", r"torch\.tensor", "write constants into the kernel, or give them to it as numbers"),
        (
            "library-call attribute-write",
            r"torch\.(manual_seed|set_\w+|use_\w+|backends\..*|cuda\.manual_seed\w*)",
            "leave torch's settings as they are: the bench sets threads, seeds and precision",
        ),
        (
            "import",
            r"import of enum",
            "write the constants as names of the file (`RELU = 1`), or make a NamedTuple of them",
        ),
        ("import", r"import of passnet", "write `from passnet.kernels import cpp`, or cuda"),
        (
            "library-call dunder",
            r"torch\.__version__.*",
            'compare it as it is, `torch.__version__ >= "2.9"`, and read no part of it',
        ),
        (
            "banned-name",
            r"getattr: .*",
            "write the attribute out, as in `library.f32`; to choose among kernels, keep them in a dict",
        ),
        ("banned-name", r"type: .*", "ask with isinstance"),
        ("private", r".*, a field of a dataclass", "give the field a name without an underscore"),
        (
            "reference ambiguous-import",
            r"triton(\.language)?( is imported, and bound in another way too)?",
            'import it once and read its names; a file with `DEVICES = ("cuda",)` is not imported on a CPU. Nothing '
            "asks a module by hasattr: write the name that the installed Triton has",
        ),
        (
            "tensor-method",
            r"method \.(clone|copy_)\(\).*",
            "let the kernel write the values, into what torch.empty_like gives",
        ),
        (
            "tensor-method leads-out",
            r"method \.numpy\(\).*|.+\.numpy",
            "give the kernel the tensor itself, as cpp, cuda and Triton take it",
        ),
        (
            "tensor-method",
            r"method \.cpu\(\).*",
            'write `x.to("cpu")`, which a wrapper may do; a kernel of the same device needs no copy',
        ),
        (
            "reference",
            r"numpy\..*",
            "of numpy a wrapper may name asarray, ascontiguousarray, frombuffer, ctypeslib, empty, zeros, ones, full, "
            "dtypes and constants, and prod of sizes; other functions compute, which is a kernel's part",
        ),
    )
)


def advice(rule: str, what: str) -> str | None:
    """What to write in place of `what`, which `rule` refuses. None: what the rule says of all."""
    view = _TENSOR_VIEW.fullmatch(what) if rule == "library-call" else None
    if view is not None:
        return f"call the tensor's method, as in `x.{view['method']}(...)`"
    return next((text for rules, shown, text in _ROWS if rule in rules and shown.fullmatch(what)), None)
