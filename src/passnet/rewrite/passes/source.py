"""One pass file as bytes and as a syntax tree: its definitions, and the devices that it is meant for."""

from __future__ import annotations

import ast
import io
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeGuard

from passnet import authored
from passnet.errors import UsageError
from passnet.op_classes import word_set

ENTRY_POINTS = ("pattern", "replacement_args", "replacement_func")
# The function of a pass that may refuse a match. It may be left out.
GUARD = "applies"
DEVICES_NAME = "DEVICES"
# Published passes import the files beside them under this name: `from pass_dir.kernels import fused`.
PACKAGE = "pass_dir"
KNOWN_DEVICES = ("cpu", "cuda")

# A file beside the passes must not have one of these names, because passes import the real modules.
RESERVED_MODULES = word_set(
    "torch triton math operator typing functools dataclasses collections itertools enum contextlib numpy numba ctypes "
    "os sys subprocess tempfile hashlib pathlib shutil passnet builtins time json warnings abc re pass_dir "
    "typing_extensions textwrap __future__"
)


@dataclass(frozen=True, slots=True)
class PassFile:
    """A Python file of a pass directory: path, exact text and syntax tree. Nothing here runs it.

    The tree is what is checked and run. A self-test at the end of the text is not in it.
    """

    path: Path
    text: str
    tree: ast.Module = field(compare=False, repr=False)

    @property
    def stem(self) -> str:
        """The module's name for its siblings."""
        return self.path.stem

    @property
    def lines(self) -> list[str]:
        """The lines as Python counts them: other line ends than those of files are part of a line."""
        return io.StringIO(self.text, newline=None).readlines()

    def functions(self, name: str) -> list[ast.FunctionDef]:
        """Top-level definitions of `name`, in the order of the file."""
        return [node for node in self.tree.body if isinstance(node, ast.FunctionDef) and node.name == name]

    def require_entry_point(self, name: str, modules: frozenset[str]) -> None:
        """Raise `UsageError` unless `name` is bound exactly once: as a function, or imported from a sibling."""
        found = [node.lineno for node in self.tree.body if _binds(node, name, modules)]
        if len(found) == 1:
            return
        expected = f"one top-level `def {name}(...)`, or one import of it from a module beside this file"
        if not found:
            lines = [node.lineno for node in ast.walk(self.tree) if _defines_otherwise(node, name)]
            other = f"that line {lines[0]} binds it in another way or place" if lines else None
            raise UsageError(
                f"the pass has no {name}", path=self.path, expected=expected, found=other, hint=f"add {name}"
            )
        raise UsageError(
            f"the pass defines {name} {len(found)} times",
            path=self.path,
            expected=expected,
            found="lines " + ", ".join(map(str, found)),
            hint="keep one of them",
        )

    def arity(self, name: str) -> tuple[int, int] | None:
        """The least and the most positional arguments that the top-level function `name` takes, from its text.

        None when the text alone does not show it.
        """
        definitions = self.functions(name)
        if len(definitions) != 1 or definitions[0].args.vararg is not None:
            return None
        arguments = definitions[0].args
        most = len(arguments.posonlyargs) + len(arguments.args)
        return most - len(arguments.defaults), most

    def devices(self) -> tuple[str, ...] | None:
        """The module-level literal `DEVICES`, read without running the file. None when there is none."""
        for node in self.tree.body:
            if isinstance(node, ast.Assign) and any(_is_name(target, DEVICES_NAME) for target in node.targets):
                return self._device_names(node.value)
            if isinstance(node, ast.AnnAssign) and _is_name(node.target, DEVICES_NAME) and node.value is not None:
                return self._device_names(node.value)
        return None

    def _device_names(self, node: ast.expr) -> tuple[str, ...]:
        items = node.elts if isinstance(node, ast.Tuple | ast.List) else [node]
        values = [item.value for item in items if isinstance(item, ast.Constant)]
        names = tuple(value for value in values if isinstance(value, str))
        if names and len(names) == len(items) and all(name in KNOWN_DEVICES for name in names):
            return names
        raise UsageError(
            f"{DEVICES_NAME} has the wrong form",
            path=self.path,
            field=f"line {node.lineno}",
            expected=f"a literal tuple out of {KNOWN_DEVICES}",
            found=authored.expression_text(node, 200),
            hint='for example DEVICES = ("cuda",)',
        )


def parse_pass_file(path: Path, data: bytes) -> PassFile:
    """Decode and parse one file. Raises `UsageError` with file and line when it is not UTF-8 or not Python."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise UsageError("the file is not UTF-8", path=path, found=str(error), hint="save it as UTF-8") from None
    try:
        tree = authored.parse_python(text)
        authored.compiled(tree, str(path))  # what only the compiler refuses, such as a stray return
    except SyntaxError as error:
        raise UsageError(
            f"syntax error: {error.msg}",
            path=path,
            field=None if error.lineno is None else f"line {error.lineno}",
            hint="correct that line" if error.lineno else "simplify the file",
        ) from None
    except (ValueError, RecursionError, MemoryError) as error:
        raise UsageError("the file cannot be compiled", path=path, found=str(error), hint="simplify the file") from None
    if tree.body and _is_self_test(tree.body[-1]) and not _binds_own_name(tree):
        del tree.body[-1]
    return PassFile(path, text, tree)


def _is_self_test(node: ast.stmt) -> bool:
    """Whether a statement is `if __name__ == "__main__":` with no other branch.

    A pass file is imported and never run as a program, so this runs nowhere.
    """
    if not isinstance(node, ast.If) or node.orelse or not isinstance(node.test, ast.Compare):
        return False
    left, right = node.test.left, node.test.comparators[0]
    name, value = (left, right) if isinstance(left, ast.Name) else (right, left)
    equals = len(node.test.ops) == 1 and isinstance(node.test.ops[0], ast.Eq)
    return equals and _is_name(name, "__name__") and isinstance(value, ast.Constant) and value.value == "__main__"


def _binds_own_name(tree: ast.Module) -> bool:
    """Whether a file may give `__name__` another value."""
    return any(
        getattr(node, field, None) == "__name__" and not isinstance(getattr(node, "ctx", None), ast.Load)
        for node in ast.walk(tree)
        for field in ("id", "name", "asname", "rest")
    )


def own_name(module: str) -> str:
    """The meaning of an absolute import in a set: `pass_dir.kernels` is its file kernels, `pass_dir` the set itself."""
    return "" if module == PACKAGE else module.removeprefix(f"{PACKAGE}.")


def imported_module(node: ast.ImportFrom) -> str:
    """The module that a `from` statement names, by the file names of the set. Empty for the set itself."""
    return own_name(node.module or "") if node.level == 0 else node.module or ""


def imported_modules(tree: ast.Module) -> frozenset[str]:
    """Every name by which an import of a file, in any place, could mean a file of the set."""
    names: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names |= {own_name(alias.name) for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.level <= 1:
            module = imported_module(node)
            names |= {module} if module else {alias.name for alias in node.names}
    return frozenset(names)


def _binds(node: ast.stmt, name: str, modules: frozenset[str]) -> bool:
    if isinstance(node, ast.FunctionDef):
        return node.name == name
    if isinstance(node, ast.ImportFrom):
        sibling = node.level == 1 or (node.level == 0 and imported_module(node) in modules)
        return sibling and any((alias.asname or alias.name) == name for alias in node.names)
    return False


def _defines_otherwise(node: ast.AST, name: str) -> TypeGuard[ast.Name | ast.FunctionDef]:
    """Whether a node binds a name, by `=` or inside something else."""
    if isinstance(node, ast.Name):
        return node.id == name and isinstance(node.ctx, ast.Store)
    return isinstance(node, ast.FunctionDef) and node.name == name


def _is_name(node: ast.expr, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name
